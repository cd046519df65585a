package io.holdfast.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonDeclarationTest {
  private static final Field<Optional<byte[]>> VALUE =
      Field.optional("value", Json.orNull(Json.ANY), "A value.");
  private static final Field<Long> OTHER = Field.time("other", "Instead of delay.");
  private static final Field<Long> DELAY =
      Field.optional("delay", Json.seconds(1_000), "A delay.").or(OTHER);

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void shouldTellNullFromAbsentWhereNullIsAValue() {
    JsonType<Values> type = Json.object(in -> in, VALUE);
    assertThat(type.read(utf8("{}")).find(VALUE)).isNull();
    assertThat(type.read(utf8("{\"value\":null}")).find(VALUE)).isEmpty();
    assertThat(type.read(utf8("{\"value\":1}")).find(VALUE)).contains(utf8("1"));
  }

  @Test
  void shouldCountANullAsAbsentWhereAnotherFieldStandsInstead() {
    JsonType<Values> type = Json.object(in -> in, DELAY, OTHER);
    Values in = type.read(utf8("{\"delay\":null,\"other\":\"1970-01-01T00:00:01Z\"}"));
    assertThat(in.find(DELAY)).isNull();
    assertThat(in.find(OTHER)).isEqualTo(1_000);
  }

  @Test
  void shouldWriteBytesThatAreNotJsonAsBase64() {
    JsonType<byte[]> type =
        new JsonObject<byte[]>().bytes("data", bytes -> bytes, "Some bytes.").type();
    assertThat(type.bytes(utf8("[1]"))).isEqualTo(utf8("{\"data\":[1]}"));
    assertThat(type.bytes(utf8("x"))).isEqualTo(utf8("{\"data\":null,\"dataBase64\":\"eA==\"}"));
  }
}
