package io.holdfast.server.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * The key that a server proves itself with.
 *
 * @param context what connections are encrypted with
 * @param until when the certificate ends
 */
record ServedKeys(SslContext context, Instant until) {
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
