package io.holdfast.cluster.security;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Gives each handshake the keys that are current then, so that renewed ones need no new listener.
 *
 * <p>Thread: any.
 */
final class CurrentKeys extends X509ExtendedKeyManager {
  private static final String ALIAS = "node-";

  private final Supplier<Generation> current;

  /** Keys that were current at a time; a handshake that began with them ends with them. */
  record Generation(long number, NodeKeys keys, @Nullable Generation before) {
    Generation next(NodeKeys renewed) {
      return new Generation(number + 1, renewed, new Generation(number, keys, null));
    }
  }

  CurrentKeys(Supplier<Generation> current) {
    this.current = current;
  }

  private @Nullable NodeKeys keys(@Nullable String alias) {
    Generation now = current.get();
    for (Generation one = now; one != null; one = one.before()) {
      if ((ALIAS + one.number()).equals(alias)) {
        return one.keys();
      }
    }
    return null;
  }

  private @Nullable String alias(@Nullable String type) {
    Generation now = current.get();
    String algorithm = now.keys().key().getAlgorithm();
    boolean fits =
        type != null
            && type.toUpperCase(Locale.ROOT).startsWith(algorithm.toUpperCase(Locale.ROOT));
    return fits ? ALIAS + now.number() : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      @Nullable String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(type);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String @Nullable [] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    for (String type : types == null ? new String[0] : types) {
      String alias = alias(type);
      if (alias != null) {
        return alias;
      }
    }
    return null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      @Nullable String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(type);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String @Nullable [] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return chooseEngineClientAlias(types, issuers, null);
  }

  @Override
  public String @Nullable [] getServerAliases(
      @Nullable String type, Principal @Nullable [] issuers) {
    String alias = alias(type);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public String @Nullable [] getClientAliases(
      @Nullable String type, Principal @Nullable [] issuers) {
    return getServerAliases(type, issuers);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
    NodeKeys keys = keys(alias);
    return keys == null ? null : keys.chain().clone();
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
    NodeKeys keys = keys(alias);
    return keys == null ? null : keys.key();
  }
}
