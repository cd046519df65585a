package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bodies that are small to send and large to read: refused at once, by a server that is warm and
 * has a small heap. {@code RouteBombTest} of the server has bodies for every route.
 *
 * <p>The processor time of a refusal is compared with that of a large push which is accepted, in
 * the same rounds: how fast the machine is, and what else it does, changes both.
 */
@Tag("slow")
class BombTest {
  private static final int ROUNDS = 3;
  private static final int WARM_UP = 2;

  /** The system counts processor time in steps of 10 ms, so several are counted together. */
  private static final int AT_ONCE = 2;

  /** No refusal may cost as much as the push of so many ordinary messages. */
  private static final int ORDINARY_MESSAGES = 10_000;

  private static final int ORDINARY_PAYLOAD_CHARS = 1_000;
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

  /** A push that the server has to work for: it reads each message, and stores it. */
  private static byte[] ordinary() {
    String text = "x".repeat(ORDINARY_PAYLOAD_CHARS);
    return utf8(
        IntStream.range(0, ORDINARY_MESSAGES)
            .mapToObj(i -> "{\"queue\":\"q\",\"payload\":{\"n\":" + i + ",\"t\":\"" + text + "\"}}")
            .collect(Collectors.joining(",", "{\"items\":[", "]}")));
  }

  private static void push(ServedProcess served, byte[] body) throws Exception {
    assertThat(served.post("/api/v1/push", body).statusCode()).isEqualTo(201);
  }

  private static void expectRefused(ServedProcess served, String name, byte[] bomb)
      throws Exception {
    HttpResponse<String> answer = served.post("/api/v1/push", bomb);
    assertThat(answer.statusCode()).as(name).isIn(400, 413);
    assertThat(answer.body()).contains("\"error\"").hasSizeLessThan(1_000);
  }

  /** The processor time that the server takes for one of several such requests, in ms. */
  private static double cpuMs(ServedProcess served, Callable<?> request) throws Exception {
    long before = served.cpu().toMillis();
    for (int i = 0; i < AT_ONCE; i++) {
      request.call();
    }
    return (served.cpu().toMillis() - before) / (double) AT_ONCE;
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void shouldRefuseThemWithoutWorkAndGoOn() throws Exception {
    Map<String, byte[]> bombs = bombs();
    byte[] ordinary = ordinary();
    try (ServedProcess served = ServedProcess.startSmall(directory, 400)) {
      // given
      for (int i = 0; i < WARM_UP; i++) {
        push(served, ordinary);
        for (Map.Entry<String, byte[]> bomb : bombs.entrySet()) {
          expectRefused(served, bomb.getKey(), bomb.getValue());
        }
      }
      // when
      List<Double> pushes = new ArrayList<>();
      Map<String, List<Double>> refusals = new LinkedHashMap<>();
      for (int round = 0; round < ROUNDS; round++) {
        pushes.add(
            cpuMs(
                served,
                () -> {
                  push(served, ordinary);
                  return null;
                }));
        for (Map.Entry<String, byte[]> bomb : bombs.entrySet()) {
          double cpuMs =
              cpuMs(
                  served,
                  () -> {
                    expectRefused(served, bomb.getKey(), bomb.getValue());
                    return null;
                  });
          refusals.computeIfAbsent(bomb.getKey(), name -> new ArrayList<>()).add(cpuMs);
        }
      }
      // then
      Map<String, Double> medians = new LinkedHashMap<>();
      refusals.forEach((name, values) -> medians.put(name, median(values)));
      double limit = median(pushes);
      String figures =
          "processor time of a push: %s ms, of a refusal: %s".formatted(limit, medians);
      System.out.println(figures);
      assertThat(medians.values()).as(figures).allMatch(cpuMs -> cpuMs < limit);
      assertThat(served.post("/api/v1/push", utf8(ITEM.formatted("1"))).statusCode())
          .isEqualTo(201);
      assertThat(served.errors()).doesNotContain("OutOfMemory");
    }
  }
}
