package io.holdfast.cluster.security;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Keys and trusted certificates, as PEM files have them.
 *
 * @param trust trusts the certificates that the authorities have signed
 */
record PemKeys(NodeKeys keys, X509ExtendedTrustManager trust) {
  private static final long BYTES_MAX = 1 << 20;
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

  /**
   * Reads the files.
   *
   * @throws IllegalArgumentException if one cannot be used; the message explains it
   */
  static PemKeys read(Path certificate, Path key, Path authorities) {
    X509Certificate[] chain = certificates(certificate);
    PrivateKey privateKey = key(key);
    if (!chain[0].getPublicKey().getAlgorithm().equals(privateKey.getAlgorithm())) {
      throw new IllegalArgumentException(key + " is not the key of " + certificate + ".");
    }
    return new PemKeys(
        new NodeKeys(privateKey, chain), trust(certificates(authorities), authorities));
  }

  private static X509Certificate[] certificates(Path file) {
    try {
      X509Certificate[] found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes(file)))
              .toArray(new X509Certificate[0]);
      if (found.length == 0) {
        throw new IllegalArgumentException(file + " contains no certificate in PEM.");
      }
      return found;
    } catch (GeneralSecurityException | ArrayStoreException damaged) {
      throw new IllegalArgumentException(file + " cannot be read as certificates in PEM.", damaged);
    }
  }

  private static PrivateKey key(Path file) {
    Matcher matcher = KEY.matcher(new String(bytes(file), StandardCharsets.ISO_8859_1));
    if (!matcher.find()) {
      throw new IllegalArgumentException(
          file
              + " contains no private key in PEM as PKCS#8 without a password. To convert one:"
              + " openssl pkcs8 -topk8 -nodes");
    }
    PKCS8EncodedKeySpec encoded =
        new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1)));
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
      } catch (InvalidKeySpecException another) {
        // One of the others will do.
      } catch (GeneralSecurityException missing) {
        throw new IllegalStateException("This Java has no keys of " + algorithm + ".", missing);
      }
    }
    throw new IllegalArgumentException(
        file + " must contain a key of " + String.join(", ", ALGORITHMS) + ".");
  }

  private static X509ExtendedTrustManager trust(X509Certificate[] authorities, Path file) {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      for (int i = 0; i < authorities.length; i++) {
        trusted.setCertificateEntry("authority-" + i, authorities[i]);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509ExtendedTrustManager extended) {
          return extended;
        }
      }
    } catch (GeneralSecurityException | IOException unusable) {
      throw new IllegalArgumentException(
          "The certificates in " + file + " cannot be used.", unusable);
    }
    throw new IllegalStateException("This Java has no trust manager for X.509.");
  }

  private static byte[] bytes(Path file) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new IllegalArgumentException(file + " has more than " + BYTES_MAX + " bytes.");
      }
      return Files.readAllBytes(file);
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(file + " cannot be read: " + unreadable, unreadable);
    }
  }
}
