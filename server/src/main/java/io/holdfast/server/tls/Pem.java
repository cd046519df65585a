package io.holdfast.server.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and private keys from PEM files. */
public final class Pem {
  private static final long BYTES_MAX = 1 << 20;
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

  private Pem() {}

  /**
   * All certificates of a file.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static List<X509Certificate> certificates(Path file) {
    List<X509Certificate> found = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (Certificate one : factory.generateCertificates(new ByteArrayInputStream(read(file)))) {
        if (one instanceof X509Certificate certificate) {
          found.add(certificate);
        }
      }
    } catch (CertificateException wrong) {
      throw new IllegalArgumentException(
          file + ": expected certificates in PEM, but it cannot be read as such", wrong);
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          file + ": expected certificates in PEM, but there are none");
    }
    return found;
  }

  /**
   * The private key of a file.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  static PrivateKey key(Path file) {
    Matcher matcher = KEY.matcher(new String(read(file), StandardCharsets.ISO_8859_1));
    if (!matcher.find()) {
      throw new IllegalArgumentException(
          file
              + ": expected a private key in PEM as PKCS#8 without a password, but there is none;"
              + " openssl pkcs8 -topk8 -nodes makes one of others");
    }
    byte[] bytes = Base64.getMimeDecoder().decode(matcher.group(1));
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
      } catch (InvalidKeySpecException another) {
        // One of the others will do.
      } catch (GeneralSecurityException missing) {
        throw new IllegalStateException("this Java has no keys of " + algorithm, missing);
      }
    }
    throw new IllegalArgumentException(
        file
            + ": expected a private key of "
            + String.join(", ", ALGORITHMS)
            + ", but got another");
  }

  private static byte[] read(Path file) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new IllegalArgumentException(
            file + ": expected at most " + BYTES_MAX + " bytes, but it has more");
      }
      return Files.readAllBytes(file);
    } catch (NoSuchFileException missing) {
      throw new IllegalArgumentException(file + ": there is no such file", missing);
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(
          file + ": it cannot be read (" + unreadable.getClass().getSimpleName() + ")", unreadable);
    }
  }
}
