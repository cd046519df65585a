package io.holdfast.cli.serve;

import io.holdfast.cli.access.TokenOptions;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.http.TrustedProxies;
import io.holdfast.server.tls.TlsFiles;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code serve} for authentication and TLS. */
final class SecurityOptions {
  @Option(
      names = "--tokens",
      paramLabel = "<file>",
      description =
          "Token file; clients then need a token (default: "
              + TokenOptions.FILE
              + " if it exists, else no authentication). HOLDFAST_TOKENS")
  private @Nullable Path tokens;

  @Option(
      names = "--tls-cert",
      paramLabel = "<file>",
      description =
          "PEM file with the TLS certificate, followed by its intermediate certificates."
              + " HOLDFAST_TLS_CERT")
  private @Nullable Path tlsCert;

  @Option(
      names = "--tls-key",
      paramLabel = "<file>",
      description = "PEM file with the private key (PKCS#8, no password). HOLDFAST_TLS_KEY")
  private @Nullable Path tlsKey;

  @Option(
      names = "--trusted-proxies",
      paramLabel = "<addresses>",
      split = ",",
      description =
          "Addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto headers are"
              + " trusted, such as 127.0.0.1,10.0.0.0/8 (default: none)."
              + " HOLDFAST_TRUSTED_PROXIES")
  private List<String> trustedProxies = List.of();

  @Option(
      names = "--insecure",
      description =
          "Listen on a public address without tokens: anyone who can reach the port gets full"
              + " access. HOLDFAST_INSECURE")
  private boolean insecure;

  /**
   * The configuration with tokens and TLS.
   *
   * @throws IllegalArgumentException if only one TLS file is given
   */
  ServerConfig secured(ServerConfig plain) {
    if ((tlsCert == null) != (tlsKey == null)) {
      throw new IllegalArgumentException(
          "--tls-cert and --tls-key: expected both or none, but got one");
    }
    ServerConfig config = plain.trustedProxies(TrustedProxies.of(trustedProxies));
    Path file = tokens();
    if (file != null) {
      config = config.tokens(file);
    }
    if (tlsCert != null && tlsKey != null) {
      config = config.tls(new TlsFiles(tlsCert, tlsKey));
    }
    return config;
  }

  /** The token file that is configured or exists; null if there is none. */
  @Nullable Path tokens() {
    Path here = Path.of(TokenOptions.FILE);
    if (tokens != null) {
      return tokens;
    }
    return Files.exists(here) ? here : null;
  }

  boolean isInsecure() {
    return insecure;
  }

  boolean hasTls() {
    return tlsCert != null;
  }

  /** The reason why the broker must not listen on an address; null if it may. */
  @Nullable String refusal(InetAddress address, String host) {
    if (address.isLoopbackAddress() || insecure || tokens() != null) {
      return null;
    }
    return "the address "
        + host
        + " can be reached from other machines, and no tokens are configured: anyone who can reach"
        + " the port would get full access. Create a token with: holdfast token create --role"
        + " admin; and set --tls-cert and --tls-key to encrypt it in transit. Or listen on"
        + " 127.0.0.1. Or add --insecure if the network is trusted.";
  }

  /** The curl option needed to pop from a public address without tokens; else empty. */
  String popHeader(InetAddress address) {
    return address.isLoopbackAddress() || tokens() != null ? "" : "-H \"X-Requested-With: curl\" ";
  }

  /** The risk of listening on an address; null if there is none. */
  @Nullable String warning(InetAddress address) {
    if (address.isLoopbackAddress()) {
      return null;
    }
    if (tokens() == null) {
      return "No tokens are configured: anyone who can reach the port has full access.";
    }
    return hasTls()
        ? null
        : "TLS is not configured: tokens and messages can be read in transit. Set --tls-cert and"
            + " --tls-key, unless a proxy in front of the broker uses TLS.";
  }
}
