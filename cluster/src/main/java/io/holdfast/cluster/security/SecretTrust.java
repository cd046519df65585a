package io.holdfast.cluster.security;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Trusts whoever has a certificate that was signed with the key of the cluster's secret. */
final class SecretTrust extends X509ExtendedTrustManager {
  private final PublicKey authority;

  SecretTrust(PublicKey authority) {
    this.authority = authority;
  }

  private void check(X509Certificate @Nullable [] chain) throws CertificateException {
    if (chain == null || chain.length != 1) {
      throw new CertificateException("The other node has no certificate of this cluster.");
    }
    try {
      chain[0].verify(authority);
      chain[0].checkValidity();
    } catch (GeneralSecurityException foreign) {
      throw new CertificateException(
          "The other node does not know the secret of this cluster.", foreign);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
