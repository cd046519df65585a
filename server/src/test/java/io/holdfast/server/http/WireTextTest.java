package io.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.json.Field;
import io.holdfast.json.Fields;
import io.holdfast.json.Times;
import io.holdfast.json.Values;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Times, percent-encoded text and queries, as they are read and written. */
class WireTextTest {
  private static final Field<String> NAME = Field.text("name", "");
  private static final Field<String> WITH_DEFAULT = Field.text("kind", "plain", "");
  private static final Field<Long> SIZE = Field.number("size", 7, 1, 100, "");
  private static final Field<Boolean> ON = Field.flag("on", "");
  private static final Field<Long> SINCE = Field.time("since", "");
  private static final Field<String> MODE = Field.word("mode", null, "", "all", "new");
  private static final Fields PARAMS = Fields.of(NAME, WITH_DEFAULT, SIZE, ON, SINCE, MODE);

  @Test
  void shouldWriteTimesAsTheyAre() {
    assertThat(Times.text(0)).isEqualTo("1970-01-01T00:00:00.000Z");
    assertThat(Times.text(1_763_231_178_960L)).isEqualTo("2025-11-15T18:26:18.960Z");
    assertThat(Times.text(-1)).isEqualTo("1969-12-31T23:59:59.999Z");
    Random random = new Random(3);
    for (int i = 0; i < 1_000; i++) {
      long time = random.nextLong(253_402_300_800_000L);
      assertThat(Times.parse(Times.text(time))).isEqualTo(time);
      assertThat(Instant.parse(Times.text(time)).toEpochMilli()).isEqualTo(time);
    }
    long far = 400_000_000_000_000L;
    assertThat(Times.parse(Times.text(far))).isEqualTo(far);
  }

  @Test
  void shouldReadTimes() {
    assertThat(Times.parse("2026-01-01")).isEqualTo(1_767_225_600_000L);
    assertThat(Times.parse("2026-01-01T00:00Z")).isEqualTo(1_767_225_600_000L);
    assertThat(Times.parse("1767225600000")).isEqualTo(1_767_225_600_000L);
    assertThat(Times.parse("1767225600")).isNull();
    assertThat(Times.parse("2026-01-01T01:00:00.5+01:00")).isEqualTo(1_767_225_600_500L);
    for (String bad :
        new String[] {
          "",
          "now",
          "2026-13-01",
          "2026-02-30",
          "2026-01-01T25:00:00Z",
          "2026-01-01T00:00:00",
          "17672256000000000",
          "2026-1-1",
          "+999999999-12-31T23:59:59Z-"
        }) {
      assertThat(Times.parse(bad)).as(bad).isNull();
    }
  }

  @Test
  void shouldDecodePercents() {
    assertThat(Percent.decode("abc", false)).isEqualTo("abc");
    assertThat(Percent.decode("", false)).isEmpty();
    assertThat(Percent.decode("a%2Fb%20c", false)).isEqualTo("a/b c");
    assertThat(Percent.decode("%c3%A4", false)).isEqualTo("ä");
    assertThat(Percent.decode("a+b", false)).isEqualTo("a+b");
    assertThat(Percent.decode("a+b%2B", true)).isEqualTo("a b+");
    assertThat(Percent.decode("\u00c3\u00a4", false)).isEqualTo("ä");
    assertThat(Percent.decode("%41", false)).isEqualTo("A");
    assertThat(Percent.decode("x%41", false)).isEqualTo("xA");
    for (String bad :
        new String[] {"%", "a%", "%4", "%zz", "%4z", "%-1", "%c3", "%ff", "%c0%80", "%ed%a0%80"}) {
      assertThat(Percent.decode(bad, true)).as(bad).isNull();
    }
  }

  private static Values query(String raw) {
    return Query.read(raw, PARAMS, null);
  }

  @Test
  void shouldReadAQuery() {
    Values query = query("name=a%26b+c&&size=5&on=1&mode=new&since=2026-01-01T00:00:00+00:00&");
    assertThat(query.find(NAME)).isEqualTo("a&b c");
    assertThat(query.get(SIZE)).isEqualTo(5);
    assertThat(query.get(ON)).isTrue();
    assertThat(query.find(MODE)).isEqualTo("new");
    assertThat(query.find(SINCE)).isEqualTo(1_767_225_600_000L);
    assertThat(query.has(NAME)).isTrue();
  }

  @Test
  void shouldTakeDefaultsForWhatIsNotThere() {
    Values query = query("name=&size=");
    assertThat(query.find(NAME)).isNull();
    assertThat(query.find(WITH_DEFAULT)).isEqualTo("plain");
    assertThat(query.get(SIZE)).isEqualTo(7);
    assertThat(query.get(ON)).isFalse();
    assertThat(query.find(MODE)).isNull();
    assertThat(query.find(SINCE)).isNull();
    assertThat(query("").find(WITH_DEFAULT)).isEqualTo("plain");
  }

  @Test
  void shouldRefuseAQueryThatIsWrong() {
    String[][] cases = {
      {"nam=1", "nam: there is no such parameter here"},
      {"name=1&name=2", "name: expected once"},
      {"name=%zz", "name: expected percent-encoded"},
      {"%zz=1", "query: expected percent-encoded"},
      {"Name=1", "Name: there is no"},
      {"=1", ": there is no"},
    };
    for (String[] one : cases) {
      assertThatThrownBy(() -> query(one[0])).as(one[0]).hasMessageContaining(one[1]);
    }
    for (String bad :
        new String[] {"0", "101", "+5", "5.0", "x", "-1", "99999999999999999999", " 5", "5 "}) {
      String raw = "size=" + bad.replace("+", "%2B").replace(" ", "%20");
      assertThatThrownBy(() -> query(raw)).as(bad).hasMessageContaining("from 1 to 100");
    }
    assertThatThrownBy(() -> query("on=yes")).hasMessageContaining("true or false");
    assertThatThrownBy(() -> query("mode=old")).hasMessageContaining("all, new");
    assertThatThrownBy(() -> query("since=1")).hasMessageContaining("a date or a time");
    assertThatThrownBy(() -> Query.read("a=1", Fields.NONE, null))
        .hasMessageContaining("no parameters");
  }
}
