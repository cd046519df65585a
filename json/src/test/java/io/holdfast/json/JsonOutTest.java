package io.holdfast.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class JsonOutTest {
  private static final ObjectMapper JACKSON = new ObjectMapper();

  private static JsonNode read(JsonOut out) {
    return JACKSON.readTree(out.done());
  }

  @Test
  void shouldPutCommasBetweenValuesAndNowhereElse() {
    JsonOut out =
        new JsonOut(1)
            .beginObject()
            .put("a", 1)
            .beginArray("b")
            .add("x")
            .beginArray()
            .endArray()
            .add(true)
            .endArray()
            .beginObject("c")
            .endObject()
            .putNull("d")
            .endObject();
    assertThat(new String(out.done(), StandardCharsets.UTF_8))
        .isEqualTo("{\"a\":1,\"b\":[\"x\",[],true],\"c\":{},\"d\":null}");
  }

  @Test
  void shouldWriteEveryTextSoThatItIsReadAsItWas() {
    Random random = new Random(11);
    for (int round = 0; round < 500; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(300); i > 0; i--) {
        int kind = random.nextInt(5);
        text.appendCodePoint(
            switch (kind) {
              case 0 -> random.nextInt(0x80);
              case 1 -> 0x80 + random.nextInt(0x780);
              case 2 -> 0xE000 + random.nextInt(0x1000);
              case 3 -> 0x10000 + random.nextInt(0x100000);
              default -> ' ' + random.nextInt(0x5f);
            });
      }
      String value = text.toString();
      JsonNode read = read(new JsonOut().beginObject().put(value, value).endObject());
      assertThat(read.get(value).asString()).isEqualTo(value);
    }
  }

  @Test
  void shouldEscapeHalfAPair() {
    assertThat(new String(new JsonOut().add("\uD83D").done(), StandardCharsets.UTF_8))
        .isEqualTo("\"\\ud83d\"");
  }

  @Test
  void shouldWriteIdsAsTheyAreWrittenElsewhere() {
    for (int i = 0; i < 100; i++) {
      UUID id = UUID.randomUUID();
      JsonNode read = read(new JsonOut(1).beginObject().put("id", id).endObject());
      assertThat(read.get("id").asString()).isEqualTo(id.toString());
    }
  }

  @Test
  void shouldWriteEveryNumber() {
    Random random = new Random(12);
    long[] edges = {0, -1, 9, 10, 99, 100, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1};
    for (int i = 0; i < 1_000; i++) {
      long value = i < edges.length ? edges[i] : random.nextLong() >> random.nextInt(64);
      assertThat(new String(new JsonOut().add(value).done(), StandardCharsets.UTF_8))
          .isEqualTo(Long.toString(value));
    }
    assertThat(read(new JsonOut().beginObject().put("d", 0.25).endObject()).get("d").asDouble())
        .isEqualTo(0.25);
  }
}
