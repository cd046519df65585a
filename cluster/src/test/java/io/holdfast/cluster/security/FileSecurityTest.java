package io.holdfast.cluster.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testkit.SelfSigned;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handshakes with keys from files. */
class FileSecurityTest {
  @TempDir Path temp;

  private static SSLContext context(GrpcTlsConfig tls) throws Exception {
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(
        new KeyManager[] {tls.getKeyManager().getKeyManager()},
        new TrustManager[] {tls.getTrustManager().getTrustManager()},
        null);
    return context;
  }

  /** The certificate that the server shows in a new handshake, which proves both sides. */
  private static X509Certificate handshake(NodeSecurity server, NodeSecurity client)
      throws Exception {
    GrpcTlsConfig serverTls = Objects.requireNonNull(server.tls());
    GrpcTlsConfig clientTls = Objects.requireNonNull(client.tls());
    assertThat(serverTls.isMutualTls()).isTrue();
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (SSLServerSocket listening =
        (SSLServerSocket)
            context(serverTls).getServerSocketFactory().createServerSocket(0, 1, loopback)) {
      listening.setNeedClientAuth(true);
      CompletableFuture<Integer> accepted =
          CompletableFuture.supplyAsync(
              () -> {
                try (SSLSocket socket = (SSLSocket) listening.accept()) {
                  socket.getOutputStream().write(1);
                  return socket.getInputStream().read();
                } catch (IOException refused) {
                  return -2;
                }
              },
              Thread::startVirtualThread);
      try (SSLSocket socket =
          (SSLSocket)
              context(clientTls)
                  .getSocketFactory()
                  .createSocket(loopback, listening.getLocalPort())) {
        socket.startHandshake();
        socket.getOutputStream().write(1);
        if (socket.getInputStream().read() != 1 || accepted.join() != 1) {
          throw new SSLException("refused");
        }
        return (X509Certificate) socket.getSession().getPeerCertificates()[0];
      }
    }
  }

  @Test
  void shouldUseFilesThatHaveChangedInNewHandshakes() throws Exception {
    // given
    SelfSigned first = SelfSigned.of(temp, "first", "localhost");
    SelfSigned second = SelfSigned.of(temp, "second", "localhost");
    Path authorities = Files.copy(first.certificate(), temp.resolve("ca.pem"));
    try (FileSecurity node = new FileSecurity(first.certificate(), first.key(), authorities)) {
      X509Certificate before = handshake(node, node);

      // when: the certificate is renewed, with another authority
      second.replace(first);
      Files.copy(second.certificate(), authorities, StandardCopyOption.REPLACE_EXISTING);
      Files.setLastModifiedTime(authorities, FileTime.fromMillis(1_000));
      node.look();
      node.look();

      // then
      X509Certificate after = handshake(node, node);
      assertThat(after).isNotEqualTo(before);

      // when: a broken file is written
      Files.writeString(first.key(), "no key");
      node.look();
      node.look();

      // then: the keys stay
      assertThat(handshake(node, node)).isEqualTo(after);
    }
  }

  @Test
  void shouldTrustOnlyWhoKnowsTheSecret() throws Exception {
    // given
    NodeSecurity first = NodeSecurity.ofSecret("a secret of the cluster", "n1");
    NodeSecurity second = NodeSecurity.ofSecret("a secret of the cluster", "n2");
    NodeSecurity stranger = NodeSecurity.ofSecret("another secret of it", "n2");

    // then
    assertThat(handshake(first, second).getSubjectX500Principal().getName()).isEqualTo("CN=n1");
    assertThatThrownBy(() -> handshake(first, stranger)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> handshake(stranger, first)).isInstanceOf(IOException.class);
  }

  @Test
  void shouldExplainFilesThatCannotBeUsed() throws IOException {
    // given
    SelfSigned keys = SelfSigned.of(temp, "keys", "localhost");
    Path empty = Files.createFile(temp.resolve("empty.pem"));

    // then
    assertThatThrownBy(() -> NodeSecurity.ofFiles(empty, keys.key(), keys.certificate()))
        .hasMessageContaining("empty.pem contains no certificate");
    assertThatThrownBy(() -> NodeSecurity.ofFiles(keys.certificate(), empty, keys.certificate()))
        .hasMessageContaining("openssl pkcs8");
  }
}
