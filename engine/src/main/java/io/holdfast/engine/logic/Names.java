package io.holdfast.engine.logic;

import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply.PushedMessages.Duplicate;
import io.holdfast.engine.command.Reply.PushedMessages.Run;
import io.holdfast.engine.store.Tables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The names that one push or commit gives, against those that are remembered. */
final class Names {
  private final Turn turn;

  /** Where in the request the first message of a name stands, by place and name. */
  private final Map<String, Map<String, Integer>> here = new HashMap<>();

  Names(Turn turn) {
    this.turn = turn;
  }

  /** The messages that are new; the others are added to the duplicates. */
  Packed withoutDuplicates(Packed packed, List<Duplicate> duplicates) {
    if (packed.names().isEmpty()) {
      return packed;
    }
    Queue queue = turn.state().queue(packed.queue());
    Partition partition = queue == null ? null : queue.partitions.get(packed.partition());
    Map<Integer, UUID> dropped = new HashMap<>();
    Map<String, Integer> first =
        here.computeIfAbsent(packed.queue() + '\n' + packed.partition(), any -> new HashMap<>());
    List<byte @Nullable []> rows = partition == null ? List.of() : rows(partition, packed);
    for (int i = 0; i < packed.names().size(); i++) {
      String name = packed.names().get(i);
      if (name == null) {
        continue;
      }
      int item = packed.items()[i];
      UUID known = partition == null ? null : known(turn, partition, rows.get(i));
      if (known == null) {
        Integer twin = first.putIfAbsent(name, item);
        if (twin != null) {
          known = pending(twin);
        }
      }
      if (known != null) {
        dropped.put(i, known);
        duplicates.add(new Duplicate(item, known, partition == null ? 0 : partition.number));
      }
    }
    return dropped.isEmpty() ? packed : packed.without(dropped);
  }

  /** Gives duplicates of a message of the same request the id it has got. */
  static void resolve(List<Run> runs, List<Duplicate> duplicates) {
    if (duplicates.stream().noneMatch(Names::isPending)) {
      return;
    }
    Map<Integer, Duplicate> stored = new HashMap<>();
    for (Run run : runs) {
      for (int i = 0; i < run.items().length; i++) {
        UUID id = MessageId.uuid(run.createdMs(), run.partition(), run.firstSeq() + i);
        int item = run.items()[i];
        stored.put(item, new Duplicate(item, id, run.partition()));
      }
    }
    duplicates.replaceAll(
        duplicate -> {
          Duplicate first = isPending(duplicate) ? stored.get(firstItem(duplicate.id())) : null;
          return first == null
              ? duplicate
              : new Duplicate(duplicate.item(), first.id(), first.partition());
        });
  }

  /** Stands for the id of a message of the same request until that is stored. */
  private static UUID pending(int firstItem) {
    return new UUID(0, firstItem + 1);
  }

  private static boolean isPending(Duplicate duplicate) {
    return duplicate.id().getMostSignificantBits() == 0;
  }

  private static int firstItem(UUID pending) {
    return (int) pending.getLeastSignificantBits() - 1;
  }

  /** The id of the message that bears a name in a partition, if that still counts; else null. */
  static @Nullable UUID known(Turn turn, Partition partition, String name) {
    return known(
        turn,
        partition,
        turn.tx().get(Tables.name(partition.queue.number, partition.number, Tables.utf8(name))));
  }

  /** The rows of all names of a chunk, looked up at once. */
  private List<byte @Nullable []> rows(Partition partition, Packed packed) {
    List<byte[]> keys = new ArrayList<>(packed.count());
    for (String name : packed.names()) {
      keys.add(
          Tables.name(
              partition.queue.number, partition.number, Tables.utf8(name == null ? "" : name)));
    }
    return turn.tx().getAll(keys);
  }

  private static @Nullable UUID known(Turn turn, Partition partition, byte @Nullable [] row) {
    Queue queue = partition.queue;
    if (row == null) {
      return null;
    }
    NameRow name = NameRow.read(row);
    MessageId id = name.id(partition);
    boolean counts =
        name.sinceMs() + queue.rules.dedupMs > turn.nowMs()
            || Finder.find(turn.state(), turn.tx(), id) != null;
    return counts ? id.uuid() : null;
  }

  /** Forgets the name of a message that is stored no longer, but not within its dedup window. */
  static void forget(
      Turn turn, Partition partition, byte[] name, long createdMs, long idSeq, long seq) {
    byte[] key = Tables.name(partition.queue.number, partition.number, name);
    byte[] row = turn.tx().get(key);
    NameRow found = row == null ? null : NameRow.read(row);
    if (found == null || found.createdMs() != createdMs || found.idSeq() != idSeq) {
      // It was purged, and a later message has got its name.
      return;
    }
    long untilMs = found.sinceMs() + partition.queue.rules.dedupMs;
    if (untilMs <= turn.nowMs()) {
      turn.tx().delete(key);
    } else {
      if (seq != idSeq) {
        turn.tx().put(key, found.lastSeq(seq).bytes());
      }
      keep(turn, partition, key, untilMs);
    }
  }

  /** Keeps the row of a name until a time; another message of that name may have asked for it. */
  static void keep(Turn turn, Partition partition, byte[] key, long untilMs) {
    if (turn.tx().get(Tables.agenda(untilMs, key)) == null) {
      Agenda.add(turn, untilMs, key);
      partition.kept++;
    }
  }

  /** Where the message of a name was in its lane before it was purged or trimmed. */
  static long lastSeq(Turn turn, Partition partition, String name, MessageId id) {
    int queue = partition.queue.number;
    byte[] moved = turn.tx().get(Tables.moved(queue, partition.number, id.seq()));
    if (moved != null) {
      return Finder.Place.read(moved).seq();
    }
    byte[] row = turn.tx().get(Tables.name(queue, partition.number, Tables.utf8(name)));
    return row == null ? id.seq() : NameRow.read(row).lastSeq();
  }

  static void put(Turn turn, Partition partition, String name, long createdMs, long idSeq) {
    turn.state().index(partition);
    turn.tx()
        .put(
            Tables.name(partition.queue.number, partition.number, Tables.utf8(name)),
            NameRow.of(createdMs, idSeq).bytes());
  }
}
