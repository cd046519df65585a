package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.options.TimeArgument;
import io.holdfast.cli.output.ErrorText;
import io.holdfast.cli.output.JsonLine;
import io.holdfast.cli.output.PayloadText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Durations, times and sentences as people write and read them. */
class ReadingTest {
  @ParameterizedTest
  @CsvSource({"500ms,500", "30s,30000", "5m,300000", "2h,7200000", "1d,86400000", "1h30m,5400000"})
  void shouldReadDurations(String text, long ms) {
    assertThat(new DurationConverter().convert(text)).isEqualTo(ms);
    assertThat(DurationConverter.format(ms)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "30", "s", "-5s", "5 s", "1y", "999999999999d"})
  void shouldRefuseWhatIsNoDuration(String text) {
    assertThatThrownBy(() -> new DurationConverter().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("duration");
  }

  @Test
  void shouldReadTimes() {
    assertThat(TimeArgument.parse("now")).isEqualTo(new TimeArgument(true, 0));
    assertThat(TimeArgument.parse("-15m")).isEqualTo(new TimeArgument(true, -900_000));
    assertThat(TimeArgument.parse("+1d")).isEqualTo(new TimeArgument(true, 86_400_000));
    assertThat(TimeArgument.parse("1970-01-02")).isEqualTo(new TimeArgument(false, 86_400_000));
    assertThat(TimeArgument.parse("1970-01-01T02:00:00+01:00"))
        .isEqualTo(new TimeArgument(false, 3_600_000));
    assertThat(TimeArgument.parse("15m")).isNull();
    assertThat(TimeArgument.parse("yesterday")).isNull();
    assertThat(TimeArgument.parse("")).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "there is no queue x,There is no queue x.",
    "limit: expected 1,limit: expected 1.",
    "--to: expected it,--to: expected it.",
    "Done!,Done!",
    "<queue>: none,<queue>: none.",
  })
  void shouldMakeSentences(String text, String sentence) {
    assertThat(ErrorText.of(text)).isEqualTo(sentence);
  }

  @Test
  void shouldKeepASentenceOnOneLine() {
    assertThat(ErrorText.of("one\n  two \r\nthree\u001b")).isEqualTo("One two three\\x1b.");
    assertThat(ErrorText.of("")).isEmpty();
  }

  @Test
  void shouldPutJsonOnOneLine() {
    assertThat(JsonLine.of("{ \"a b\" : [ 1 ,\n\t\"x \\\" y\" ] }".getBytes(UTF_8)))
        .isEqualTo("{\"a b\":[1,\"x \\\" y\"]}");
  }

  @Test
  void shouldShowPayloads() {
    assertThat(PayloadText.line("{ }".getBytes(UTF_8))).isEqualTo("{}");
    assertThat(PayloadText.line("a\tb".getBytes(UTF_8))).isEqualTo("a\\tb");
    assertThat(PayloadText.line(new byte[] {-1, 0})).isEqualTo("0xff00");
    byte[] long1 = new byte[100];
    long1[0] = -1;
    assertThat(PayloadText.line(long1)).startsWith("0xff00").endsWith("… (100 B)");
  }
}
