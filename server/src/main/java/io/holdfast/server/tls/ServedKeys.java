package io.holdfast.server.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The key that a server proves itself with; it may be replaced while the server runs.
 *
 * <p>Thread: any.
 */
final class ServedKeys extends X509ExtendedKeyManager {
  private static final String ALIAS = "server";
  private static final char[] NO_PASSWORD = {};

  private final TlsFiles files;
  private volatile X509ExtendedKeyManager keys;
  private volatile Instant until;

  /**
   * Reads the files.
   *
   * @throws IllegalArgumentException saying what is wrong with them
   */
  ServedKeys(TlsFiles files) {
    this.files = files;
    List<X509Certificate> chain = Pem.certificates(files.certificate());
    this.keys = load(files, chain);
    this.until = chain.getFirst().getNotAfter().toInstant();
  }

  /**
   * Reads the files again; connections that come from now on get what is in them.
   *
   * @throws IllegalArgumentException saying what is wrong with them; all stays as it was
   */
  void reload() {
    List<X509Certificate> chain = Pem.certificates(files.certificate());
    keys = load(files, chain);
    until = chain.getFirst().getNotAfter().toInstant();
  }

  /** When the certificate ends. */
  Instant until() {
    return until;
  }

  private static X509ExtendedKeyManager load(TlsFiles files, List<X509Certificate> chain) {
    PrivateKey key = Pem.key(files.key());
    if (!belongs(key, chain.getFirst().getPublicKey())) {
      throw new IllegalArgumentException(
          files.key()
              + ": expected the key of the first certificate of "
              + files.certificate()
              + ", but it is another's");
    }
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, NO_PASSWORD);
      store.setKeyEntry(ALIAS, key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, NO_PASSWORD);
      for (KeyManager one : factory.getKeyManagers()) {
        if (one instanceof X509ExtendedKeyManager found) {
          return found;
        }
      }
      throw new IllegalStateException("this Java has no keys for TLS");
    } catch (GeneralSecurityException | IOException unusable) {
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

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    return keys.getClientAliases(type, issuers);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return keys.chooseClientAlias(types, issuers, socket);
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    return keys.getServerAliases(type, issuers);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return keys.chooseServerAlias(type, issuers, socket);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return keys.chooseEngineServerAlias(type, issuers, engine);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return keys.getCertificateChain(alias);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return keys.getPrivateKey(alias);
  }
}
