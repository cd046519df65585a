package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that are small to send and large to read: refused at once, by a server that is warm. */
class BombTest {
  private static final int ROUNDS = 3;
  private static final int WARM_UP = 4;

  /** The system counts processor time in steps of 10 ms, so several are counted together. */
  private static final int AT_ONCE = 4;

  private static final double CPU_MS_MAX = 50;
  private static final int MANY = 1_000_000;
  private static final String ITEM = "{\"items\":[{\"queue\":\"q\",\"payload\":%s}]}";

  @TempDir Path directory;

  private static String many(IntFunction<String> one) {
    return IntStream.range(0, MANY).mapToObj(one).collect(Collectors.joining(","));
  }

  private static Map<String, byte[]> bombs() {
    Map<String, byte[]> bombs = new LinkedHashMap<>();
    bombs.put("depth", utf8(ITEM.formatted("[".repeat(100_000) + "]".repeat(100_000))));
    bombs.put("depth of objects", utf8(ITEM.formatted("{\"a\":".repeat(100_000))));
    bombs.put("a string of 30 MB", utf8(ITEM.formatted("\"" + "x".repeat(30_000_000) + "\"")));
    bombs.put("a string of escapes", utf8(ITEM.formatted("\"" + "\\u0041".repeat(1_000_000))));
    bombs.put("a number of 1 MB", utf8(ITEM.formatted("1".repeat(1_000_000))));
    bombs.put("an exponent", utf8("{\"item\":1,\"priority\":1e999999999}"));
    bombs.put("keys", utf8(ITEM.formatted("{" + many(i -> "\"k" + i + "\":0") + "}")));
    bombs.put("keys of the body", utf8("{" + many(i -> "\"k" + i + "\":0") + "}"));
    bombs.put(
        "headers",
        utf8(
            "{\"items\":[{\"queue\":\"q\",\"payload\":1,\"headers\":{"
                + many(i -> "\"k" + i + "\":\"\"")
                + "}}]}"));
    bombs.put("items", utf8("{\"items\":[" + many(i -> "{}") + "]}"));
    bombs.put("the same key", utf8("{\"items\":[],\"items\":[]}"));
    bombs.put("half a pair", new byte[] {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'});
    bombs.put("half a pair, escaped", utf8("{\"items\":[{\"queue\":\"\\ud800\",\"payload\":1}]}"));
    bombs.put("a zero", utf8("{\"items\":[{\"queue\":\"a\0b\",\"payload\":1}]}"));
    bombs.put("a zero, escaped", utf8("{\"items\":[{\"queue\":\"a\\u0000b\",\"payload\":1}]}"));
    bombs.put("a byte order mark", utf8("\uFEFF{\"items\":[]}"));
    bombs.put("not a number", utf8(ITEM.formatted("NaN")));
    bombs.put("infinite", utf8(ITEM.formatted("-Infinity")));
    bombs.put("UTF-32", new String(new char[] {0, 0, 0, '{'}).getBytes(ISO_8859_1));
    return bombs;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void shouldRefuseThemWithoutWorkAndGoOn() throws Exception {
    Map<String, byte[]> bombs = bombs();
    try (ServedProcess served = ServedProcess.startSmall(directory, 400)) {
      for (int i = 0; i < WARM_UP; i++) {
        for (byte[] bomb : bombs.values()) {
          served.post("/api/v1/push", bomb);
        }
      }
      Map<String, Double> medians = new LinkedHashMap<>();
      for (Map.Entry<String, byte[]> bomb : bombs.entrySet()) {
        double[] cpuMs = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
          long before = served.cpu().toMillis();
          for (int i = 0; i < AT_ONCE; i++) {
            HttpResponse<String> answer = served.post("/api/v1/push", bomb.getValue());
            assertThat(answer.statusCode()).as(bomb.getKey()).isIn(400, 413);
            assertThat(answer.body()).contains("\"error\"").hasSizeLessThan(1_000);
          }
          cpuMs[round] = (served.cpu().toMillis() - before) / (double) AT_ONCE;
        }
        Arrays.sort(cpuMs);
        medians.put(bomb.getKey(), cpuMs[ROUNDS / 2]);
      }
      System.out.println("processor time of a refusal, ms: " + medians);
      assertThat(medians.values()).allMatch(median -> median < CPU_MS_MAX, medians.toString());
      assertThat(served.post("/api/v1/push", utf8(ITEM.formatted("1"))).statusCode())
          .isEqualTo(201);
      assertThat(served.errors()).doesNotContain("OutOfMemory");
    }
  }
}
