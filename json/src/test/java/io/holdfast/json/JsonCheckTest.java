package io.holdfast.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** What is taken for one JSON value, against what Jackson takes for one. */
class JsonCheckTest {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(JsonIn.DEPTH_MAX).build())
          .build();

  private static boolean check(String text) {
    return JsonCheck.isOneValue(text.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean jackson(byte[] bytes) {
    if (bytes.length == 0 || isSpace(bytes[0]) || isSpace(bytes[bytes.length - 1])) {
      return false;
    }
    for (byte b : bytes) {
      if (b == 0) {
        return false;
      }
    }
    try (JsonParser parser =
        FACTORY.createParser(
            ObjectReadContext.empty(), new String(bytes, StandardCharsets.UTF_8))) {
      if (parser.nextToken() == null) {
        return false;
      }
      parser.skipChildren();
      parser.finishToken();
      return parser.nextToken() == null && Utf8.isValid(bytes);
    } catch (JacksonException notJson) {
      return false;
    }
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\t' || b == '\r';
  }

  private static String value(Random random, int depth) {
    int kind = random.nextInt(depth > 4 ? 6 : 8);
    return switch (kind) {
      case 0 -> Long.toString(random.nextLong());
      case 1 -> random.nextInt(100) + "." + random.nextInt(1_000) + "e-" + random.nextInt(9);
      case 2 -> new String[] {"true", "false", "null"}[random.nextInt(3)];
      case 3 -> "\"ä\\u00e4\\n\\\"/\uD83D\uDE00\"";
      case 4 -> "\"" + Integer.toString(random.nextInt(), 36) + "\"";
      case 5 -> new String[] {"0", "-0", "1E5", "[]", "{}", "\"\""}[random.nextInt(6)];
      case 6 -> {
        StringBuilder array = new StringBuilder("[");
        for (int i = random.nextInt(4); i >= 0; i--) {
          array
              .append(value(random, depth + 1))
              .append(i == 0 ? " " : random.nextInt(2) == 0 ? "," : " ,\n");
        }
        yield array.append(']').toString();
      }
      default -> {
        StringBuilder object = new StringBuilder("{");
        for (int i = random.nextInt(4); i >= 0; i--) {
          object.append("\"k").append(i).append("\"\t: ").append(value(random, depth + 1));
          object.append(i == 0 ? "" : ", ");
        }
        yield object.append('}').toString();
      }
    };
  }

  @Test
  void shouldAgreeWithJackson() {
    Random random = new Random(7);
    int good = 0;
    int bad = 0;
    for (int i = 0; i < 500; i++) {
      byte[] whole = value(random, 0).getBytes(StandardCharsets.UTF_8);
      assertThat(JsonCheck.isOneValue(whole))
          .as(new String(whole, StandardCharsets.UTF_8))
          .isTrue();
      for (int j = 0; j < 5; j++) {
        byte[] broken = broken(random, whole.clone());
        boolean expected = jackson(broken);
        assertThat(JsonCheck.isOneValue(broken))
            .as(new String(broken, StandardCharsets.ISO_8859_1))
            .isEqualTo(expected);
        good += expected ? 1 : 0;
        bad += expected ? 0 : 1;
      }
    }
    assertThat(good).isGreaterThan(100);
    assertThat(bad).isGreaterThan(500);
  }

  /** The same with a byte changed, left out, doubled, or the end cut off. */
  private static byte[] broken(Random random, byte[] bytes) {
    String marks = "{}[]\",:\\ 0-.eEtfn1x\n";
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(4)) {
      case 0 -> bytes[at] = (byte) marks.charAt(random.nextInt(marks.length()));
      case 1 -> bytes[at] = (byte) random.nextInt(256);
      case 2 -> {
        return java.util.Arrays.copyOf(bytes, at);
      }
      default -> {
        byte[] longer = java.util.Arrays.copyOf(bytes, bytes.length + 1);
        System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
        return longer;
      }
    }
    return bytes;
  }

  @Test
  void shouldKnowTheBorders() {
    for (String good :
        new String[] {
          "0",
          "-0",
          "10",
          "1.0",
          "1e5",
          "1E-05",
          "\"\\u12aF\"",
          "[[],{}]",
          "{\"\":{}}",
          "\"\u007f\""
        }) {
      assertThat(check(good)).as(good).isTrue();
    }
    for (String bad :
        new String[] {
          "",
          " 1",
          "1 ",
          "00",
          "01",
          "-",
          "+1",
          ".1",
          "1.",
          "1e",
          "1e+",
          "0x1",
          "tru",
          "truee",
          "nul",
          "\"",
          "\"\\\"",
          "\"\\u12\"",
          "\"\\a\"",
          "\"\t\"",
          "[",
          "[1,]",
          "[,1]",
          "[1 2]",
          "{\"a\"}",
          "{\"a\":}",
          "{\"a\":1,}",
          "{a:1}",
          "{1:1}",
          "]",
          "1,2",
          "[1]]",
          "NaN",
          "Infinity",
          "//x",
          "\u0000"
        }) {
      assertThat(check(bad)).as(bad).isFalse();
    }
    String deep = "[".repeat(JsonIn.DEPTH_MAX) + "]".repeat(JsonIn.DEPTH_MAX);
    assertThat(check(deep)).isTrue();
    assertThat(check("[" + deep + "]")).isFalse();
    assertThat(check("[".repeat(1_000_000))).isFalse();
    assertThat(JsonCheck.isOneValue(new byte[] {'"', (byte) 0xC3, '"'})).isFalse();
  }
}
