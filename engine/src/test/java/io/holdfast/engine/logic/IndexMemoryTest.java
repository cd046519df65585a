package io.holdfast.engine.logic;

import static io.holdfast.engine.logic.ShardRun.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Command.Tick.SweepFrom;
import io.holdfast.engine.command.Reply;
import java.lang.management.ManagementFactory;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the index takes in memory for each partition, by the JVM's histogram of live objects: those
 * of this package and of collections. Rows, payloads and names are other classes, and not counted.
 */
@Tag("slow")
final class IndexMemoryTest {
  private static final int PARTITIONS = 10_000;
  private static final int AT_ONCE = 1_000;

  private final ShardRun shard = new ShardRun();

  private static long indexBytes() throws JMException {
    String histogram =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    return histogram
        .lines()
        .map(line -> line.strip().split("\\s+"))
        .filter(columns -> columns.length > 3 && isOfIndex(columns[3]))
        .mapToLong(columns -> Long.parseLong(columns[2]))
        .sum();
  }

  private static boolean isOfIndex(String name) {
    return name.matches("(\\[L)?(io\\.holdfast\\.engine\\.logic\\.|java\\.util\\.).*");
  }

  private static long each(long bytes) {
    return bytes / PARTITIONS;
  }

  @Test
  void shouldTakeFewBytesForEachPartitionSubscriptionAndLease() throws JMException {
    long before = indexBytes();
    for (int from = 0; from < PARTITIONS; from += AT_ONCE) {
      shard.push(
          IntStream.range(from, from + AT_ONCE)
              .mapToObj(i -> message("m").partition("p" + i))
              .toArray(NewMessage[]::new));
    }
    long partitions = indexBytes();

    shard.pop(PopRequest.queue("q").group("g"));
    while (((Reply.Ticked) shard.apply(new Command.Tick(SweepFrom.START))).again()) {}
    long joined = indexBytes();

    PopRequest many = PopRequest.queue("q").group("g").batch(AT_ONCE).partitions(AT_ONCE);
    while (!shard.pop(many).messages().isEmpty()) {}
    long taken = indexBytes();

    assertThat(shard.queue("q").groups.getFirst().inFlight).isEqualTo(PARTITIONS);
    assertThat(each(partitions - before)).as("of a partition").isLessThan(395);
    assertThat(each(joined - partitions)).as("of a subscription").isLessThan(125);
    assertThat(each(taken - joined)).as("of a leased partition").isLessThan(205);
  }
}
