package io.holdfast.cli;

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
 * How a command proves to a server who it is, and the server to the command.
 *
 * <p>A token is never an argument: everybody on a machine can see those.
 */
final class RemoteAccess {
  private static final String VARIABLE = "HOLDFAST_TOKEN";

  @Option(
      names = "--token-file",
      paramLabel = "<file>",
      defaultValue = "${env:HOLDFAST_TOKEN_FILE:-}",
      description =
          "A file with the token to show; else it is in the environment, in HOLDFAST_TOKEN."
              + " HOLDFAST_TOKEN_FILE")
  private @Nullable String tokenFile;

  @Option(
      names = "--tls-ca",
      paramLabel = "<file>",
      defaultValue = "${env:HOLDFAST_TLS_CA:-}",
      description =
          "Certificates in PEM that vouch for the server, instead of those that Java trusts."
              + " HOLDFAST_TLS_CA")
  private @Nullable String tlsCa;

  /**
   * How to ask a server.
   *
   * @throws IllegalArgumentException if a file cannot be used, or the address is none
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
