package io.holdfast.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonObjectTest {
  private static final JsonType<Long> NUMBER =
      JsonObject.of(Long.class).wholeOrNull("n", number -> number, "A number.").type();

  private record Bytes(byte @Nullable [] bytes) {}

  private static final JsonType<Bytes> BYTES =
      JsonObject.of(Bytes.class).bytes("data", Bytes::bytes, "Some bytes.").type();

  private static <T> String written(JsonType<T> type, T value) {
    byte[] json = type.bytes(value);
    assertThat(SchemaCheck.difference(List.of(type.schema()), json)).isNull();
    return new String(json, StandardCharsets.UTF_8);
  }

  @Test
  void shouldWriteANegativeNumberAsNull() {
    assertThat(written(NUMBER, 0L)).isEqualTo("{\"n\":0}");
    assertThat(written(NUMBER, -1L)).isEqualTo("{\"n\":null}");
  }

  @Test
  void shouldWriteBytesAsJsonOrBase64OrNull() {
    assertThat(written(BYTES, new Bytes("[1]".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo("{\"data\":[1]}");
    assertThat(written(BYTES, new Bytes(new byte[] {1})))
        .isEqualTo("{\"data\":null,\"dataBase64\":\"AQ==\"}");
    assertThat(written(BYTES, new Bytes(null))).isEqualTo("{\"data\":null}");
  }
}
