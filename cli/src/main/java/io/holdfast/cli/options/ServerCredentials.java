package io.holdfast.cli.options;

import io.holdfast.client.remote.RemoteConfig;
import io.holdfast.server.tls.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The token that a command sends, and the certificates by which it trusts the server.
 *
 * <p>A token is never an argument: other users of the machine can read those.
 */
final class ServerCredentials {
  private static final String VARIABLE = "HOLDFAST_TOKEN";

  @Option(
      names = "--token-file",
      paramLabel = "<file>",
      defaultValue = "${env:HOLDFAST_TOKEN_FILE:-}",
      description =
          "File with the access token (default: the variable HOLDFAST_TOKEN)."
              + " HOLDFAST_TOKEN_FILE")
  private @Nullable String tokenFile;

  @Option(
      names = "--tls-ca",
      paramLabel = "<file>",
      defaultValue = "${env:HOLDFAST_TLS_CA:-}",
      description =
          "PEM file with the CA certificates to trust (default: those of Java)."
              + " HOLDFAST_TLS_CA")
  private @Nullable String tlsCa;

  /**
   * The configuration of the client.
   *
   * @throws IllegalArgumentException if a file cannot be used, or the URL is invalid
   */
  RemoteConfig config(String server) {
    RemoteConfig config = RemoteConfig.of(server);
    String token = token();
    if (token != null) {
      config = config.token(token);
    }
    return tlsCa == null || tlsCa.isEmpty() ? config : config.tls(trusting(Path.of(tlsCa)));
  }

  private @Nullable String token() {
    if (tokenFile != null && !tokenFile.isEmpty()) {
      try {
        return Files.readString(Path.of(tokenFile)).strip();
      } catch (IOException unreadable) {
        throw new IllegalArgumentException(
            "--token-file: " + tokenFile + " cannot be read", unreadable);
      }
    }
    String token = System.getenv(VARIABLE);
    return token == null || token.isBlank() ? null : token.strip();
  }

  private static SSLContext trusting(Path file) {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      int number = 0;
      for (X509Certificate certificate : Pem.certificates(file)) {
        trusted.setCertificateEntry("ca" + number++, certificate);
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException unusable) {
      throw new IllegalArgumentException(
          "--tls-ca: " + file + " cannot be used: " + unusable.getMessage(), unusable);
    }
  }
}
