package io.holdfast.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How text is made safe and laid out. */
class TextTest {
  @Test
  void shouldEscapeWhatATerminalObeys() {
    assertThat(Printable.of("plain, ünïcode, 漢字, 🎉")).isEqualTo("plain, ünïcode, 漢字, 🎉");
    assertThat(Printable.of("a\u001b[2Jb\tc\nd\r\u0000")).isEqualTo("a\\x1b[2Jb\\tc\\nd\\r\\x00");
    assertThat(Printable.of("\u009b\u007f")).isEqualTo("\\x9b\\x7f");
    assertThat(Printable.of("\u202etxt\u2028")).isEqualTo("\\u{202e}txt\\u{2028}");
    assertThat(Printable.of("\ud800x")).isEqualTo("\\u{d800}x");
  }

  @Test
  void shouldKnowHowWideTextIs() {
    assertThat(Printable.width("abc")).isEqualTo(3);
    assertThat(Printable.width("漢字")).isEqualTo(4);
    assertThat(Printable.width("e\u0301")).isEqualTo(1);
    assertThat(Printable.width("🎉!")).isEqualTo(3);
    assertThat(Printable.cut("abcdef", 4)).isEqualTo("abc…");
    assertThat(Printable.cut("abcd", 4)).isEqualTo("abcd");
    assertThat(Printable.cut("漢字漢字", 6)).isEqualTo("漢字…");
  }

  @Test
  void shouldAlignNumbersAtTheRight() {
    TextTable table =
        new TextTable("NAME", "COUNT", "AGE", "NOTE")
            .row("a", 1_234_567L, new Age(5_000), "x")
            .row("long name", 5, null, null);
    assertThat(table.toString())
        .isEqualTo(
            """
            NAME           COUNT  AGE  NOTE
            a          1,234,567   5s  x
            long name          5    -  -""");
  }

  @Test
  void shouldCutTheWidestColumns() {
    TextTable table =
        new TextTable("ID", "COUNT", "PAYLOAD")
            .row("0123456789", 7, "a very long payload that fits nowhere");
    assertThat(table.render(30, false))
        .isEqualTo(
            """
            ID          COUNT  PAYLOAD
            0123456789      7  a very lon…""");
    assertThat(table.render(1, false)).contains("0123456…", "a very …");
  }

  @Test
  void shouldPaintOnlyWhereThereAreColours() {
    Text text = new Text().line("a ", Style.RED.of("b\u001b"), 1234L);
    assertThat(text.render(80, false)).isEqualTo("a b\\x1b1,234");
    assertThat(text.render(80, true)).isEqualTo("a \u001b[31mb\\x1b\u001b[0m1,234");
    TextTable table = new TextTable("A").row(Style.GREEN.of("x"));
    assertThat(table.render(80, true)).isEqualTo("\u001b[1mA\u001b[0m\n\u001b[32mx\u001b[0m");
  }

  @ParameterizedTest
  @CsvSource({
    "-5,0ms",
    "0,0ms",
    "999,999ms",
    "1000,1s",
    "59999,59s",
    "60000,1m",
    "200000,3m 20s",
    "3600000,1h",
    "93780000,1d 2h",
    "7380000,2h 3m"
  })
  void shouldSayAges(long ms, String words) {
    assertThat(new Age(ms)).hasToString(words);
  }

  @ParameterizedTest
  @CsvSource({"0,0 B", "1023,1023 B", "1536,1.5 KiB", "10240,10 KiB", "1572864,1.5 MiB"})
  void shouldSayBytes(long bytes, String words) {
    assertThat(new ByteCount(bytes)).hasToString(words);
  }

  @Test
  void shouldGroupThousands() {
    assertThat(TextTable.grouped(0)).isEqualTo("0");
    assertThat(TextTable.grouped(-1_234)).isEqualTo("-1,234");
    assertThat(TextTable.grouped(-123)).isEqualTo("-123");
    assertThat(TextTable.grouped(1_000_000)).isEqualTo("1,000,000");
  }

  @Test
  void shouldReadTheSizeOfATerminal() {
    assertThat(Size.parse("24 80\n")).isEqualTo(new Size(24, 80));
    assertThat(Size.parse("0 0")).isNull();
    assertThat(Size.parse("what")).isNull();
    assertThat(Size.parse(null)).isNull();
  }

  @Test
  void shouldLeaveOutRowsThatAScreenDoesNotHave() {
    assertThat(Screen.frame("a\nb\nc\nd", "last", 4))
        .contains("a", "b", "2 more rows; last")
        .doesNotContain("c");
  }
}
