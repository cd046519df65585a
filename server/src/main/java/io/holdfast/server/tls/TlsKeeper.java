package io.holdfast.server.tls;

import io.holdfast.server.access.WatchedFiles;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of a server: its keys, as the files have them. Connections that come after the files were
 * changed get the new ones.
 *
 * <p>Thread: any; {@link #look} only one at a time.
 */
public final class TlsKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(TlsKeeper.class);

  /** How long a client may take for its handshake at most. */
  private static final Duration HANDSHAKE_MAX = Duration.ofSeconds(10);

  /**
   * The key that a server proves itself with.
   *
   * @param context what connections are encrypted with
   * @param until when the certificate ends
   */
  private record ServedKeys(SslContext context, Instant until) {
    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException saying what is wrong with them
     */
    static ServedKeys load(TlsFiles files) {
      List<X509Certificate> chain = Pem.certificates(files.certificate());
      PrivateKey key = Pem.key(files.key());
      if (!belongs(key, chain.getFirst().getPublicKey())) {
        throw new IllegalArgumentException(
            files.key()
                + ": expected the key of the first certificate of "
                + files.certificate()
                + ", but it is another's");
      }
      try {
        return new ServedKeys(
            SslContextBuilder.forServer(key, chain)
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3", "TLSv1.2")
                .build(),
            chain.getFirst().getNotAfter().toInstant());
      } catch (SSLException | IllegalArgumentException unusable) {
        throw new IllegalArgumentException(
            files.certificate() + ": it cannot be used with its key: " + unusable.getMessage(),
            unusable);
      }
    }

    /** Whether what one half signs is the other's. */
    private static boolean belongs(PrivateKey key, PublicKey certified) {
      String algorithm =
          switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
          };
      try {
        byte[] something = {1, 2, 3};
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(something);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(something);
        return signature.verify(signed);
      } catch (GeneralSecurityException anotherKind) {
        return false;
      }
    }
  }

  private final TlsFiles files;
  private final long handshakeMs;
  private volatile ServedKeys keys;

  private final WatchedFiles watched;

  /**
   * Reads the files.
   *
   * @param readTimeout how long a client may take for a request, and so for its handshake
   * @throws IllegalArgumentException saying what is wrong with the files
   */
  public TlsKeeper(TlsFiles files, Duration readTimeout) {
    this.files = files;
    this.handshakeMs =
        (readTimeout.compareTo(HANDSHAKE_MAX) < 0 ? readTimeout : HANDSHAKE_MAX).toMillis();
    this.watched =
        new WatchedFiles(
            this::reload,
            wrong -> LOG.error("The new certificate is not used, the one before stays: {}", wrong),
            files.certificate(),
            files.key());
    this.keys = ServedKeys.load(files);
  }

  /** What connections are encrypted with that come now. */
  public SslContext context() {
    return keys.context();
  }

  /**
   * The server's end of TLS on a connection. A client that takes too long for its handshake is cut
   * off. The arithmetic of handshakes is done in other threads: it would hold up other connections.
   */
  public SslHandler handler(Channel channel) {
    SslHandler handler = context().newHandler(channel.alloc(), Thread::startVirtualThread);
    handler.setHandshakeTimeout(handshakeMs, TimeUnit.MILLISECONDS);
    return handler;
  }

  /** Takes over files that have changed. */
  public void look() {
    watched.look();
  }

  private void reload() {
    keys = ServedKeys.load(files);
    LOG.info("The certificate was read again; it is good until {}.", keys.until());
  }
}
