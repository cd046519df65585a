package io.holdfast.cli;

import io.holdfast.server.ServerConfig;
import io.holdfast.server.http.TrustedProxies;
import io.holdfast.server.tls.TlsFiles;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code serve} that say who may come in, and how. */
final class SecureOptions {
  @Option(
      names = "--tokens",
      paramLabel = "<file>",
      description =
          "The tokens that callers must show"
              + " (default: "
              + TokenOptions.FILE
              + " if that is there, else everybody may do everything). HOLDFAST_TOKENS")
  private @Nullable Path tokens;

  @Option(
      names = "--tls-cert",
      paramLabel = "<file>",
      description =
          "The certificate to speak TLS with, in PEM, with those that vouch for it behind it."
              + " HOLDFAST_TLS_CERT")
  private @Nullable Path tlsCert;

  @Option(
      names = "--tls-key",
      paramLabel = "<file>",
      description = "Its private key, in PEM as PKCS#8 without a password. HOLDFAST_TLS_KEY")
  private @Nullable Path tlsKey;

  @Option(
      names = "--trusted-proxies",
      paramLabel = "<addresses>",
      split = ",",
      description =
          "Addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto headers are"
              + " believed, such as 127.0.0.1,10.0.0.0/8 (default: none)."
              + " HOLDFAST_TRUSTED_PROXIES")
  private List<String> trustedProxies = List.of();

  @Option(
      names = "--insecure",
      description =
          "Listen where other machines can reach the broker without tokens, although everybody"
              + " who can may do everything. HOLDFAST_INSECURE")
  private boolean insecure;

  /**
   * The same set-up, with tokens and TLS.
   *
   * @throws IllegalArgumentException if only one file of TLS is named
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

  /** The file that is named, or that is there; null if there is none. */
  @Nullable Path tokens() {
    Path here = Path.of(TokenOptions.FILE);
    if (tokens != null) {
      return tokens;
    }
    return Files.exists(here) ? here : null;
  }

  boolean hasTls() {
    return tlsCert != null;
  }

  /** Why the broker must not listen there; null if it may. */
  @Nullable String refusal(InetAddress address, String host) {
    if (address.isLoopbackAddress() || insecure || tokens() != null) {
      return null;
    }
    return "Other machines could reach "
        + host
        + ", and there are no tokens: everybody who can reach the broker could do everything. Make a"
        + " token with: holdfast token create --role admin; and name --tls-cert and --tls-key, so that"
        + " nobody reads it on its way. Or listen on 127.0.0.1. Or add --insecure, if the network keeps"
        + " strangers out.";
  }

  /** The option of curl for a pop without tokens that other machines could ask for; else empty. */
  String popHeader(InetAddress address) {
    return address.isLoopbackAddress() || tokens() != null ? "" : "-H \"X-Requested-With: curl\" ";
  }

  /** What is dangerous about listening there all the same; null if nothing is. */
  @Nullable String warning(InetAddress address) {
    if (address.isLoopbackAddress()) {
      return null;
    }
    if (tokens() == null) {
      return "There are no tokens: everybody who can reach the broker may do everything.";
    }
    return hasTls()
        ? null
        : "Without TLS everybody on the way can read the tokens and the messages. Name --tls-cert and"
            + " --tls-key, unless a proxy before the broker speaks TLS.";
  }
}
