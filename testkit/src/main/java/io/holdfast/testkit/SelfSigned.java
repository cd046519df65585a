package io.holdfast.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate that vouches for itself, with its key, as PEM files; and whoever trusts it.
 *
 * @param certificate the file of the certificate
 * @param key the file of its private key, as PKCS#8
 */
public record SelfSigned(Path certificate, Path key, SSLContext trusting) {
  private static final String ALIAS = "server";
  private static final String PASSWORD = "changeit";
  private static final int LINE = 64;

  /**
   * Makes one for a host; it takes a second.
   *
   * @param name of the files
   */
  public static SelfSigned of(Path directory, String name, String host) {
    try {
      KeyStore keys = keys(directory.resolve(name + ".p12"), host);
      Certificate certificate = keys.getCertificate(ALIAS);
      Path certFile = directory.resolve(name + "-cert.pem");
      Path keyFile = directory.resolve(name + "-key.pem");
      Files.writeString(certFile, pem("CERTIFICATE", certificate.getEncoded()));
      Files.writeString(
          keyFile, pem("PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
      return new SelfSigned(certFile, keyFile, trusting(certificate));
    } catch (GeneralSecurityException | IOException failed) {
      throw new IllegalStateException("a certificate cannot be made", failed);
    }
  }

  private static KeyStore keys(Path file, String host)
      throws IOException, GeneralSecurityException {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD,
                "-dname",
                "CN=" + host,
                "-ext",
                "san=dns:" + host + ",ip:127.0.0.1")
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.onExit().join().exitValue() != 0) {
      throw new IllegalStateException("keytool failed: " + said);
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }

  private static String pem(String what, byte[] bytes) {
    String base64 = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + what + "-----\n" + base64 + "\n-----END " + what + "-----\n";
  }

  private static SSLContext trusting(Certificate certificate)
      throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(ALIAS, certificate);
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  /** Puts this one's files in the place of another's, as somebody who renews a certificate. */
  public void replace(SelfSigned other) {
    try {
      Files.copy(key, other.key, StandardCopyOption.REPLACE_EXISTING);
      Files.copy(certificate, other.certificate, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failed) {
      throw new IllegalStateException("the files cannot be copied", failed);
    }
  }
}
