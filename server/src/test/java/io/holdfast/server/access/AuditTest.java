package io.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.http.RequestId;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Lines of the audit log. */
class AuditTest {
  private static Audit audit(String name) {
    Grant grant = new Grant("abcdefghjk", name, Role.ADMIN, NamePatterns.ALL);
    return Audit.of(
        "purge",
        new Caller(grant, new InetSocketAddress("192.0.2.7", 80), RequestId.made(), () -> true));
  }

  @Test
  void shouldSayWhoDidWhatFromWhere() {
    Audit line = audit("billing").put("queue", "orders").put("partition", null).put("count", 3);
    assertThat(line.toString())
        .matches(
            "act=purge by=abcdefghjk name=billing from=192\\.0\\.2\\.7 request=[0-9a-f]{16}"
                + " queue=orders count=3");
  }

  @Test
  void shouldLetNobodyForgeALine() {
    String forged = "x\r\nact=login by=admin\u2028\u202e\u0085\u001b[2K\0\"\\";
    String line = audit(forged).put("queue", forged).toString();
    assertThat(line.lines()).hasSize(1);
    assertThat(line).matches("[\\x20-\\x7e]*");
    assertThat(line)
        .contains(
            "queue=\"x\\u000d\\u000aact=login by=admin\\u2028\\u202e\\u0085\\u001b[2K\\u0000\\\"\\\\\"");
  }

  @Test
  void shouldKeepLettersOfAllScriptsAndCutWhatIsLong() {
    assertThat(audit("Öl und 注文").toString()).contains("name=\"Öl und 注文\"");
    assertThat(audit("a".repeat(1_000)).toString()).hasSizeLessThan(400);
    assertThat(audit(" ".repeat(1_000)).toString()).hasSizeLessThan(400);
    assertThat(audit("").toString()).contains("name=\"\"");
  }
}
