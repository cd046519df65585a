package io.holdfast.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.assertj.core.api.ObjectAssert;
import org.junit.jupiter.api.Test;

/** How bodies are read, cut and refused. */
class JsonInTest {
  private static final List<String> VALUES =
      List.of(
          "0",
          "-1",
          "12345678901234567890",
          "1.50",
          "-0.0e-7",
          "1E+2",
          "true",
          "false",
          "null",
          "\"\"",
          "\"a\"",
          "\"\\\"}],\\u00e4\\\\\"",
          "\"äöü \uD83D\uDE00\"",
          "[]",
          "[ ]",
          "[1,[2,[3]],{\"a\":\"]\"}]",
          "{}",
          "{ }",
          "{\"a\":{\"b\":[\"}\"]}, \"c\" : null}");

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static <T> T read(String body, Function<JsonIn, T> reader) {
    try (JsonIn in = JsonIn.of(bytes(body))) {
      T value = reader.apply(in);
      in.end();
      return value;
    }
  }

  private static ObjectAssert<Object> expect(String body, Function<JsonIn, Object> reader) {
    Object value = read(body, reader);
    return assertThat(value).as(body);
  }

  private static void refuse(String body, Consumer<JsonIn> reader, String text) {
    assertThatThrownBy(
            () ->
                read(
                    body,
                    in -> {
                      reader.accept(in);
                      return true;
                    }))
        .as(body)
        .isInstanceOf(JsonException.class)
        .hasMessageContaining(text);
  }

  private static List<String> payloadsOfFields(String body) {
    return read(
        body,
        in -> {
          List<String> payloads = new ArrayList<>();
          in.beginObject();
          while (in.nextField() != null) {
            payloads.add(new String(in.payload(), StandardCharsets.UTF_8));
          }
          return payloads;
        });
  }

  @Test
  void shouldCutEveryKindOfValueOutOfEveryPlace() {
    for (String value : VALUES) {
      assertThat(payloadsOfFields("{\"p\":" + value + "}")).containsExactly(value);
      assertThat(payloadsOfFields("{ \"x\" : 1 ,\n\"p\"\t: \r\n" + value + " \n}"))
          .containsExactly("1", value);
      assertThat(payloadsOfFields("{\"p\":" + value + ",\"q\":" + value + " ,\"r\":[1]}"))
          .containsExactly(value, value, "[1]");
      expect(value, in -> new String(in.payload(), StandardCharsets.UTF_8)).isEqualTo(value);
      expect("  " + value + " \n", in -> new String(in.payload(), StandardCharsets.UTF_8))
          .isEqualTo(value);
    }
  }

  @Test
  void shouldCutEveryElementOfAnArray() {
    for (String separator : new String[] {",", " , ", "\n,\t"}) {
      List<String> cut =
          read(
              "[" + String.join(separator, VALUES) + "]",
              in -> {
                List<String> payloads = new ArrayList<>();
                in.beginArray();
                while (in.nextElement()) {
                  payloads.add(new String(in.payload(), StandardCharsets.UTF_8));
                }
                return payloads;
              });
      assertThat(cut).isEqualTo(VALUES);
    }
  }

  @Test
  void shouldCutPayloadsLongerThanAnyBuffer() {
    String longText = "\"" + "xä".repeat(100_000) + "\"";
    assertThat(payloadsOfFields("{\"a\":" + longText + ",\"b\":[" + longText + "]}"))
        .containsExactly(longText, "[" + longText + "]");
  }

  @Test
  void shouldRefusePayloadsThatAreNotJson() {
    for (String broken :
        new String[] {
          "{\"p\":}",
          "{\"p\":[1,]}",
          "{\"p\":{\"a\":1,}}",
          "{\"p\":01}",
          "{\"p\":+1}",
          "{\"p\":.5}",
          "{\"p\":1.}",
          "{\"p\":tru}",
          "{\"p\":NaN}",
          "{\"p\":'a'}",
          "{\"p\":\"a\nb\"}",
          "{\"p\":\"\\x\"}",
          "{\"p\":\"\\u12g4\"}",
          "{\"p\":[1}",
          "{\"p\":1 2}",
          "{\"p\":/* c */1}",
          "{p:1}"
        }) {
      assertThatThrownBy(() -> payloadsOfFields(broken))
          .as(broken)
          .isInstanceOf(JsonException.class);
    }
  }

  @Test
  void shouldRefuseEveryTruncatedBody() {
    String body = "{\"a\":[1,{\"b\":\"ä\\u00e4\"}],\"c\":true,\"d\":-1.5e3}";
    assertThat(payloadsOfFields(body)).hasSize(3);
    byte[] whole = bytes(body);
    for (int length = 0; length < whole.length; length++) {
      byte[] part = java.util.Arrays.copyOf(whole, length);
      assertThatThrownBy(
              () -> {
                try (JsonIn in = JsonIn.of(part)) {
                  in.beginObject();
                  while (in.nextField() != null) {
                    in.payload();
                  }
                  in.end();
                }
              })
          .as(length + " bytes")
          .isInstanceOf(JsonException.class);
    }
  }

  @Test
  void shouldRefuseWhatComesBehind() {
    refuse("1 2", JsonIn::skip, "more behind it");
    refuse("{} {}", JsonIn::skip, "more behind it");
    refuse("[] ]", JsonIn::skip, "");
    refuse("1\u0000", JsonIn::skip, "UTF-8");
    read("1 \t\r\n", in -> in.number(0, 9));
  }

  @Test
  void shouldRefuseWhatIsNotUtf8() {
    byte[][] bad = {
      {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF, '1'},
      {'"', (byte) 0xFF, '"'},
      {'"', (byte) 0xC3, '"'},
      {'"', (byte) 0xC0, (byte) 0x80, '"'},
      {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'},
      {'"', (byte) 0xF5, (byte) 0x80, (byte) 0x80, (byte) 0x80, '"'},
      {0, '1'},
      {'1', 0},
      {(byte) 0xFF, (byte) 0xFE, '1', 0},
    };
    for (byte[] body : bad) {
      assertThatThrownBy(() -> JsonIn.of(body))
          .isInstanceOf(JsonException.class)
          .hasMessageContaining("UTF-8");
    }
    assertThatThrownBy(() -> JsonIn.of(new byte[0])).hasMessageContaining("empty");
  }

  @Test
  void shouldRefuseAFieldThatIsThereTwice() {
    Consumer<JsonIn> all =
        in -> {
          in.beginObject();
          while (in.nextField() != null) {
            in.skip();
          }
        };
    refuse("{\"a\":1,\"b\":2,\"a\":3}", all, "a: expected once");
    refuse("{\"a\":1,\"\\u0061\":3}", all, "a: expected once");
  }

  @Test
  void shouldRefuseWhatIsTooDeep() {
    int most = JsonIn.DEPTH_MAX;
    read("[".repeat(most) + "]".repeat(most), in -> in.payload());
    refuse("[".repeat(most + 1) + "]".repeat(most + 1), JsonIn::skip, "depth");
    refuse("[".repeat(100_000), JsonIn::skip, "depth");
    refuse("{\"a\":".repeat(most + 1) + "1" + "}".repeat(most + 1), JsonIn::skip, "depth");
  }

  @Test
  void shouldReadWholeNumbersHoweverTheyAreWritten() {
    for (String two : new String[] {"20", "20.0", "2e1", "2E+1", "200e-1", "0.2e2", "20.000"}) {
      expect(two, in -> in.number(0, 100)).isEqualTo(20L);
    }
    expect("9223372036854775807", in -> in.number(0, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    expect("-0", in -> in.number(0, 1)).isEqualTo(0L);
  }

  @Test
  void shouldRefuseNumbersThatAreNone() {
    for (String bad :
        new String[] {
          "2.5",
          "1e-1",
          "101",
          "-1",
          "\"5\"",
          "true",
          "null",
          "[]",
          "{}",
          "9223372036854775808",
          "1e99",
          "1e999999999",
          "1e-999999999",
          "9".repeat(99)
        }) {
      refuse(bad, in -> in.number(0, 100), "body: expected");
    }
    refuse("1".repeat(101), in -> in.number(0, 100), "");
    refuse("0." + "1".repeat(101), in -> in.number(0, 100), "");
    refuse("\"\"", in -> in.number(5, Long.MAX_VALUE), "a whole number, 5 or more");
  }

  @Test
  void shouldReadSecondsWithAFraction() {
    expect("1.5", in -> in.secondsAsMs(10_000)).isEqualTo(1_500L);
    expect("0.0004", in -> in.secondsAsMs(10_000)).isEqualTo(0L);
    expect("1e1", in -> in.secondsAsMs(10_000)).isEqualTo(10_000L);
    for (String bad : new String[] {"-0.1", "10.001", "1e300", "\"1\"", "null"}) {
      refuse(bad, in -> in.secondsAsMs(10_000), "");
    }
  }

  @Test
  void shouldReadTextsFlagsTimesAndBytes() {
    expect("\"\\u00e4\\n\"", JsonIn::text).isEqualTo("ä\n");
    expect("null", JsonIn::isNull).isEqualTo(true);
    expect("true", JsonIn::flag).isEqualTo(true);
    expect("\"2026-01-01T00:00:01Z\"", JsonIn::time).isEqualTo(1_767_225_601_000L);
    expect("\"AAE=\"", JsonIn::base64).isEqualTo(new byte[] {0, 1});
    refuse("5", JsonIn::text, "expected a text, but got 5");
    refuse("\"true\"", JsonIn::flag, "expected true or false, but got a text");
    refuse("\"1969-01-01\"", JsonIn::time, "a time");
    refuse("\"A\"", JsonIn::base64, "base64");
    refuse("[]", JsonIn::beginObject, "an object, but got an array");
    refuse("{}", JsonIn::beginArray, "an array, but got an object");
  }

  @Test
  void shouldSayWhereItIs() {
    refuse(
        "{\"items\":[{},{\"a\":{\"b\":[1,2,\"x\"]}}]}",
        in -> {
          in.beginObject();
          in.nextField();
          in.beginArray();
          in.nextElement();
          in.skip();
          in.nextElement();
          in.beginObject();
          in.nextField();
          in.beginObject();
          in.nextField();
          in.beginArray();
          while (in.nextElement()) {
            in.number(0, 9);
          }
        },
        "items[1].a.b[2]: expected a whole number from 0 to 9, but got a text");
  }

  @Test
  void shouldLookAheadWithoutMoving() {
    String body = "{\"a\":{\"type\":\"inner\"},\"n\":[1,2],\"type\":\"outer\",\"z\":1}";
    expect(
            body,
            in -> {
              String type = in.ahead("type");
              String none = in.ahead("y") + in.ahead("z");
              return type + none + new String(in.payload(), StandardCharsets.UTF_8);
            })
        .isEqualTo("outernullnull" + body);
    refuse("[1]", in -> in.ahead("type"), "an object");
    refuse(
        "{\"type\":}",
        in -> {
          assertThat(in.ahead("type")).isNull();
          in.skip();
        },
        "expected JSON");
  }
}
