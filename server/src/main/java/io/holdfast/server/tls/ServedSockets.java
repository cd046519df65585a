package io.holdfast.server.tls;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes the server's end of TLS connections, with the protocols we want, each of them closed with
 * the connection it stands on and watched until its handshake is over.
 */
final class ServedSockets extends SSLSocketFactory {
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  private final SSLSocketFactory factory;
  private final Handshakes handshakes;

  ServedSockets(SSLSocketFactory factory, Handshakes handshakes) {
    this.factory = factory;
    this.handshakes = handshakes;
  }

  /** The only one that the web server asks for. */
  @Override
  public Socket createSocket(Socket socket, @Nullable InputStream consumed, boolean autoClose)
      throws IOException {
    handshakes.begin(socket);
    // If the connection beneath stayed open, closing would wait for the client to answer.
    SSLSocket secure = (SSLSocket) factory.createSocket(socket, consumed, true);
    secure.setEnabledProtocols(PROTOCOLS);
    return secure;
  }

  @Override
  public Socket createSocket(Socket socket, String host, int port, boolean autoClose)
      throws IOException {
    return factory.createSocket(socket, host, port, autoClose);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return factory.createSocket(host, port);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return factory.createSocket(host, port, local, localPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return factory.createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return factory.createSocket(host, port, local, localPort);
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return factory.getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return factory.getSupportedCipherSuites();
  }
}
