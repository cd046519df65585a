package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server with little memory and its usual limits, and clients that make as much of everything as
 * they can: they meet a limit, not the end of the memory, and others are still served.
 */
@Tag("slow")
class SmallHeapTest {
  private static final int HEAP_MB = 128;
  private static final int BATCH = 4_000;
  private static final int BATCHES_MAX = 200;
  private static final int PARKED = 300;

  @TempDir Path directory;

  private static String item(String queue, String partition, String payload) {
    return "{\"queue\":\"%s\",\"partition\":\"%s\",\"payload\":%s}"
        .formatted(queue, partition, payload);
  }

  private static String push(String queue, String name, int from, String payload) {
    return IntStream.range(from, from + BATCH)
        .mapToObj(
            i ->
                item(queue.isEmpty() ? name + i : queue, queue.isEmpty() ? "p" : name + i, payload))
        .collect(Collectors.joining(",", "{\"items\":[", "]}"));
  }

  private static HttpResponse<String> pushUntilRefused(ServedProcess served, String queue)
      throws Exception {
    HttpResponse<String> answer = null;
    for (int i = 0; i < BATCHES_MAX; i++) {
      answer = served.post("/api/v1/push", push(queue, "name-of-some-length-", i * BATCH, "1"));
      if (answer.statusCode() != 201) {
        break;
      }
    }
    assertThat(answer).isNotNull();
    return answer;
  }

  private static void assertLimit(HttpResponse<String> answer, String word) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
    assertThat(answer.body()).contains("\"code\":\"LIMIT\"", word);
  }

  @Test
  void shouldMeetALimitAndGoOn() throws Exception {
    try (ServedProcess served = ServedProcess.startSmall(directory, HEAP_MB)) {
      // given
      served.post("/api/v1/push", "{\"items\":[" + item("normal", "p", "\"kept\"") + "]}");
      List<CompletableFuture<HttpResponse<String>>> parked = new ArrayList<>();
      for (int i = 0; i < PARKED; i++) {
        parked.add(served.getLater("/api/v1/pop/queue/nothing?wait=true&timeout=600000"));
      }

      // when
      HttpResponse<String> partitions = pushUntilRefused(served, "flood");
      HttpResponse<String> queues = pushUntilRefused(served, "");
      HttpResponse<String> groups = served.get("/api/v1/pop/queue/flood?consumerGroup=g0");
      for (int i = 1; i < 50 && groups.statusCode() == 200; i++) {
        groups = served.get("/api/v1/pop/queue/flood?consumerGroup=g" + i);
      }
      String large = "\"" + "x".repeat(1_000_000) + "\"";
      String body =
          IntStream.range(0, 7)
              .mapToObj(i -> item("large", "p", large))
              .collect(Collectors.joining(",", "{\"items\":[", "]}"));
      List<CompletableFuture<HttpResponse<String>>> pushes = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        pushes.add(served.postLater("/api/v1/push", body));
      }

      // then
      assertThat(served.errors()).doesNotContain("OutOfMemory", "ERROR");
      assertLimit(partitions, "partitions");
      assertLimit(queues, "partitions");
      assertLimit(groups, "partitions");
      for (CompletableFuture<HttpResponse<String>> pushed : pushes) {
        assertThat(pushed.join().statusCode()).as(pushed.join().body()).isIn(201, 429);
      }
      HttpResponse<String> popped = served.get("/api/v1/pop/queue/normal");
      assertThat(popped.statusCode()).isEqualTo(200);
      assertThat(popped.body()).contains("\"kept\"");
      assertThat(served.post("/api/v1/push", "{\"items\":[" + item("normal", "p", "2") + "]}"))
          .satisfies(answer -> assertThat(answer.statusCode()).isEqualTo(201));
      served.awaitParked(PARKED);
      assertThat(parked).noneMatch(CompletableFuture::isDone);
      assertThat(served.get("/health").statusCode()).isEqualTo(200);
      assertThat(served.errors()).doesNotContain("OutOfMemory", "ERROR");
    }
  }
}
