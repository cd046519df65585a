package io.holdfast.client.acks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.Limits;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.message.Position;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BookmarkTest {
  @Test
  void shouldWriteAHandleAsText() {
    Bookmark bookmark = Bookmark.of(new Handle("Zk1u0x8R-_Q", new Position(3, 0, 1041)));

    assertThat(bookmark.text()).isEqualTo("3.0.1041@Zk1u0x8R-_Q");
    assertThat(bookmark).hasToString(bookmark.text());
  }

  @Test
  void shouldReadBackWhatItWrote() {
    Handle handle = new Handle("Zk1u0x8R-_Q", new Position(Long.MAX_VALUE, Integer.MAX_VALUE, 0));

    assertThat(Bookmark.parse(Bookmark.of(handle).text()).handle()).isEqualTo(handle);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a,b", "a@b", "a b", "100%", "é€𝄞", "%2C", ".~", "+/="})
  void shouldTakeAnyLeaseIdAndNeverHoldAComma(String leaseId) {
    Bookmark bookmark = new Bookmark(leaseId, new Position(1, 2, 3));

    assertThat(bookmark.text()).doesNotContain(",").matches("[A-Za-z0-9_.~%@-]+");
    assertThat(Bookmark.parse(bookmark.text())).isEqualTo(bookmark);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "orders",
        "1.2.3",
        "1.2.3@",
        "1.2@abc",
        "-1.2.3@abc",
        "01.2.3@abc",
        "1.2.03@abc",
        "1.2147483648.3@abc",
        "9223372036854775808.0.0@abc",
        "1.2.3@a%2",
        "1.2.3@a%2c",
        "1.2.3@a%41",
        "1.2.3@a%zz",
        "1.2.3@a%+1",
        "1.2.3@a%FF",
        "1.2.3@a%00",
        " 1.2.3@abc",
        "1.2.3@abc\n"
      })
  void shouldSayWhatItExpectedOfTextThatIsNoBookmark(String text) {
    assertThatThrownBy(() -> Bookmark.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("bookmark: expected partition.lane.seq@lease")
        .hasMessageContaining("but got \"" + text + "\"");
  }

  @Test
  void shouldQuoteOnlyTheBeginningOfLongText() {
    assertThatThrownBy(() -> Bookmark.parse("x".repeat(100_000)))
        .hasMessageContaining("xxx...")
        .message()
        .hasSizeLessThan(200);
  }

  @Test
  void shouldReadManyJoinedByCommas() {
    List<Bookmark> bookmarks =
        List.of(
            new Bookmark("a,b", new Position(1, 0, 1)), new Bookmark("c", new Position(1, 0, 2)));

    assertThat(Bookmark.parseAll(Bookmark.join(bookmarks))).isEqualTo(bookmarks);
  }

  @ParameterizedTest
  @ValueSource(strings = {",", "1.2.3@abc,", ",1.2.3@abc", "1.2.3@abc,,1.2.4@abc", "1.2.3@abc, x"})
  void shouldNotReadHolesBetweenCommas(String text) {
    assertThatThrownBy(() -> Bookmark.parseAll(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected partition.lane.seq@lease");
  }

  @Test
  void shouldReadAsManyAsOneRequestMayCarry() {
    List<Bookmark> most =
        Collections.nCopies(Limits.OPERATIONS_MAX, new Bookmark("a", new Position(1, 0, 1)));
    String text = Bookmark.join(most);

    assertThat(Bookmark.parseAll(text)).hasSize(Limits.OPERATIONS_MAX);
    assertThatThrownBy(() -> Bookmark.parseAll(text + ",1.0.1@a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected at most 10000 in one ack");
  }
}
