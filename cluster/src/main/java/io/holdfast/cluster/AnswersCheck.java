package io.holdfast.cluster;

import io.holdfast.engine.Replica.AnswersMark;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares what commands were answered on this node with what they were answered on others: nodes
 * that have applied the same log must agree. One that differs from a majority has wrong data, for
 * example because of a damaged disk or memory, or a fault in its version of the rules.
 */
final class AnswersCheck {
  private AnswersCheck() {}

  /**
   * Why this node has to stop; null if nothing shows that.
   *
   * @param own the marks of this node
   * @param others those of each other node that has answered
   * @param members how many members the cluster has, with this one
   */
  static @Nullable String difference(
      List<AnswersMark> own, List<List<AnswersMark>> others, int members) {
    for (AnswersMark mark : own) {
      Map<Long, Integer> votes = new HashMap<>(Map.of(mark.hash(), 1));
      for (List<AnswersMark> other : others) {
        other.stream()
            .filter(theirs -> theirs.index() == mark.index())
            .forEach(theirs -> votes.merge(theirs.hash(), 1, Integer::sum));
      }
      boolean outvoted =
          votes.entrySet().stream()
              .anyMatch(each -> each.getKey() != mark.hash() && each.getValue() * 2 > members);
      if (outvoted) {
        return "The data of this node differ from those of most nodes of the cluster: up to entry "
            + mark.index()
            + " of the log its commands had other results. The node stops, so that it gives no"
            + " wrong answers. Replace it: remove it from the cluster, delete its data directory,"
            + " and add it again under a new name.";
      }
    }
    return null;
  }
}
