package io.holdfast.server.tls;

import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** A context of TLS whose sockets are {@link ServedSockets}; all else is the JDK's. */
final class ServedContext extends SSLContext {
  ServedContext(SSLContext context, Handshakes handshakes) {
    super(
        new Served(context, new ServedSockets(context.getSocketFactory(), handshakes)),
        context.getProvider(),
        context.getProtocol());
  }

  private static final class Served extends SSLContextSpi {
    private final SSLContext context;
    private final SSLSocketFactory sockets;

    private Served(SSLContext context, SSLSocketFactory sockets) {
      this.context = context;
      this.sockets = sockets;
    }

    @Override
    protected void engineInit(
        KeyManager @Nullable [] keys,
        TrustManager @Nullable [] trust,
        @Nullable SecureRandom random) {
      throw new IllegalStateException("the context is made with its keys already");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return sockets;
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      return context.getServerSocketFactory();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      return context.createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      return context.createSSLEngine(host, port);
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return context.getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return context.getClientSessionContext();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      return context.getDefaultSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return context.getSupportedSSLParameters();
    }
  }
}
