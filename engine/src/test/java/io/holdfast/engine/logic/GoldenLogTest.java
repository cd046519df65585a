package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Stats;
import io.holdfast.api.commit.Operation;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Command.Part;
import io.holdfast.engine.command.Entry;
import io.holdfast.engine.command.Envelope;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.store.Tables;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Recorded logs give the same rows in every version: nodes of two versions must not differ, and a
 * node may apply a log that an older version wrote. {@code ./holdfast golden} records those of the
 * newest format level again.
 */
class GoldenLogTest {
  @BeforeAll
  static void record() throws IOException {
    if ("record".equals(System.getProperty("holdfast.golden"))) {
      GoldenLogRecorder.recordAll();
    }
  }

  @Test
  void shouldGiveTheSameRowsForEver() {
    for (GoldenLog log : GoldenLog.all()) {
      assertThat(log.applied(shard -> {}))
          .as("The rules changed without a new format level; see CONTRIBUTING.md: %s", log.name())
          .isEqualTo(log.hashes());
    }
  }

  @Test
  void shouldBeRecordedForEveryLevelThatIsKnown() {
    for (int level = FormatLevels.KNOWN.oldest(); level <= FormatLevels.KNOWN.newest(); level++) {
      String prefix = "level-" + level + "-";
      assertThat(GoldenLog.all()).anyMatch(log -> log.name().startsWith(prefix));
    }
  }

  @Test
  void shouldContainEveryKindOfCommandAndOperation() {
    // given
    Set<Class<?>> kinds = new HashSet<>();

    // when
    for (GoldenLog log : GoldenLog.all()) {
      log.decoded().stream()
          .flatMap(entry -> entry.commands().stream())
          .map(Entry.Ordered::command)
          .forEach(command -> collect(command, kinds));
    }

    // then
    assertThat(kinds)
        .contains(Command.class.getPermittedSubclasses())
        .contains(Envelope.class)
        .contains(operations().toArray(Class<?>[]::new));
  }

  private static void collect(Command command, Set<Class<?>> kinds) {
    kinds.add(command.getClass());
    if (command instanceof Command.PushMessages push
        && push.lanes().stream().anyMatch(Packed::isSealed)) {
      kinds.add(Envelope.class);
    }
    if (command instanceof Command.CommitOperations commit) {
      for (Part part : commit.parts()) {
        kinds.add(
            part instanceof Part.Other other ? other.operation().getClass() : Part.Push.class);
      }
    }
  }

  /** A push is packed before it is part of a command. */
  private static List<Class<?>> operations() {
    return List.of(Operation.class.getPermittedSubclasses()).stream()
        .<Class<?>>map(kind -> kind == Operation.PushMessage.class ? Part.Push.class : kind)
        .toList();
  }

  @Test
  void shouldUseEveryTableAndCounter() {
    // given
    Set<Integer> tables = new TreeSet<>();
    Set<String> counters = new TreeSet<>();

    // when
    for (GoldenLog log : GoldenLog.all()) {
      log.applied(
          shard -> {
            shard.rows().keySet().forEach(key -> tables.add(table(key)));
            counters.addAll(used(shard.state().totals.now()));
          });
    }

    // then
    assertThat(tables).hasSize(Tables.END - 1);
    assertThat(counters).hasSize(Stats.Totals.class.getRecordComponents().length);
  }

  /** The names of the counters that are not zero. */
  private static List<String> used(Stats.Totals totals) {
    return Pattern.compile("(\\w+)=[1-9]")
        .matcher(totals.toString())
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static int table(String key) {
    return Integer.parseInt(key.substring(0, key.indexOf(':')));
  }
}
