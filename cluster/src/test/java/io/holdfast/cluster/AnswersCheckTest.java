package io.holdfast.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.Replica.AnswersMark;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersCheckTest {
  private static final List<AnswersMark> A = marks(1, 2);
  private static final List<AnswersMark> B = marks(1, 3);

  private static List<AnswersMark> marks(long first, long second) {
    return List.of(new AnswersMark(10_000, first), new AnswersMark(20_000, second));
  }

  @Test
  void shouldNotStopANodeThatAgrees() {
    assertThat(AnswersCheck.difference(A, List.of(A, A), 3)).isNull();
  }

  @Test
  void shouldStopTheNodeThatDiffersFromMost() {
    assertThat(AnswersCheck.difference(B, List.of(A, A), 3)).contains("entry 20000");
  }

  @Test
  void shouldNotStopANodeThatMostAgreeWith() {
    assertThat(AnswersCheck.difference(A, List.of(A, B), 3)).isNull();
  }

  @Test
  void shouldNotStopANodeAsLongAsNoMajorityHasAnswered() {
    assertThat(AnswersCheck.difference(B, List.of(A), 3)).isNull();
  }

  @Test
  void shouldCompareOnlyMarksOfTheSameEntry() {
    List<AnswersMark> later = List.of(new AnswersMark(30_000, 9));
    assertThat(AnswersCheck.difference(A, List.of(later, later), 3)).isNull();
  }
}
