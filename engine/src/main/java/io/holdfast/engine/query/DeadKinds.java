package io.holdfast.engine.query;

import io.holdfast.api.ErrorText;
import io.holdfast.api.dead.DeadErrors;
import io.holdfast.engine.logic.DeadRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Dead letters sorted by what they died of. */
final class DeadKinds {
  /** Errors whose kind is remembered as they are written, so that most need no work. */
  private static final int TEXTS_MAX = 10_000;

  /** Those of one kind so far, and the newest of them. */
  private static final class Kind {
    private long count;
    private long firstMs;
    private long lastMs;
    private byte[] newest = {};
  }

  private final Map<String, Kind> kinds = new HashMap<>();
  private final Map<String, Kind> texts = new HashMap<>();

  /** Takes in a dead letter; they come in the order of their deaths. */
  void add(byte[] row) {
    DeadRow.Head head = DeadRow.Head.read(row);
    Kind kind = kind(head.error() == null ? "" : head.error());
    kind.firstMs = kind.count == 0 ? head.diedMs() : kind.firstMs;
    kind.lastMs = head.diedMs();
    kind.newest = row;
    kind.count++;
  }

  private Kind kind(String error) {
    Kind known = texts.get(error);
    if (known != null) {
      return known;
    }
    String text = ErrorText.of(error);
    boolean room = kinds.size() < DeadErrors.ERRORS_MAX || kinds.containsKey(text);
    Kind kind = kinds.computeIfAbsent(room ? text : "", any -> new Kind());
    if (texts.size() < TEXTS_MAX) {
      texts.put(error, kind);
    }
    return kind;
  }

  List<DeadErrors.Kind> list() {
    List<DeadErrors.Kind> list = new ArrayList<>();
    kinds.forEach(
        (text, kind) -> {
          DeadRow newest = DeadRow.read(kind.newest);
          String sample = newest.error() == null ? "" : newest.error();
          list.add(
              new DeadErrors.Kind(
                  text, sample, kind.count, kind.firstMs, kind.lastMs, newest.id()));
        });
    return list;
  }
}
