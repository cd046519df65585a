package io.holdfast.engine.logic;

import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Entry;
import io.holdfast.engine.command.EntryCodec;
import io.holdfast.engine.command.Envelope;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Sealer;
import io.holdfast.engine.command.ShardLimits;
import io.holdfast.engine.command.Stamp;
import io.holdfast.engine.store.MemoryStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Records golden logs of the newest format level: random commands, and some for features that
 * {@link RandomLog} does not use.
 */
final class GoldenLogRecorder {
  private static final int ENTRIES = 800;
  private static final int KEY = 7;

  private final Random random;
  private final RandomLog source;

  private GoldenLogRecorder(long seed) {
    this.random = new Random(seed);
    this.source = new RandomLog(seed, true);
  }

  /** Records the logs of this version, in place of earlier ones of the same level. */
  static void recordAll() throws IOException {
    int seed = 0;
    for (String limits : List.of("wide", "narrow")) {
      String name = "level-" + FormatLevels.KNOWN.newest() + "-" + limits;
      new GoldenLogRecorder(++seed).record(name).save();
    }
  }

  private GoldenLog record(String name) {
    Replay shard = new Replay(new MemoryStore(), GoldenLog.limits(name), 1 << 20);
    List<byte[]> entries = new ArrayList<>();
    while (entries.size() < ENTRIES) {
      List<Entry.Ordered> commands = new ArrayList<>();
      for (int left = random.nextInt(5); left > 0; left--) {
        Stamp stamp = source.stamp();
        Command command = random.nextInt(6) == 0 ? special() : source.next();
        commands.add(new Entry.Ordered(stamp.nowMs(), stamp.random(), command));
      }
      byte[] entry = EntryCodec.bytes(new Entry(FormatLevels.KNOWN.newest(), commands));
      entries.add(entry);
      for (Reply reply : shard.apply(EntryCodec.read(entry))) {
        source.learn(reply);
      }
      shard.flush();
    }
    GoldenLog log = new GoldenLog(name, entries, List.of());
    return new GoldenLog(name, entries, log.applied(after -> {}));
  }

  private Command special() {
    return switch (random.nextInt(20)) {
      case 0 -> new Command.DeleteQueue("vault");
      case 1, 2 -> configure("vault", QueueOption.ENCRYPTION);
      case 3, 4, 5, 6 -> push("vault", random.nextInt(5) == 0 ? Sealer.NONE : this::seal);
      case 7, 8 -> pop(PopRequest.queue("vault").batch(3), Set.of(KEY));
      case 9 -> pop(PopRequest.queue("vault").autoAck(true), new TreeSet<>(Set.of(KEY, KEY + 1)));
      case 10 -> journal("history");
      case 11, 12, 13 -> push("billing.invoice", Sealer.NONE);
      case 17 -> new Command.SetLimits(ShardLimits.of(90, 900, 9, 300).commandRowsMax(9));
      case 14, 15, 16 -> pop(PopRequest.of(new PopSource.Tagged("billing", null)), Set.of());
      default -> configure("billing.invoice", QueueOption.RETRY_JITTER);
    };
  }

  private static Command configure(String queue, QueueOption option) {
    return new Command.ConfigureQueue(ConfigureRequest.queue(queue).set(option, true));
  }

  private static Command pop(PopRequest request, Set<Integer> keys) {
    return new Command.PopMessages(request, keys);
  }

  /** Begins a journal again. */
  private static Command journal(String name) {
    List<Operation> operations =
        List.of(
            new Operation.DeleteJournal(name),
            new Operation.AppendJournal(name, 0, List.of(new byte[] {1}, new byte[] {2})),
            new Operation.AppendJournal(name, 2, List.of(new byte[] {3})));
    return new Command.CommitOperations(
        operations.stream().<Command.Part>map(Command.Part.Other::new).toList(), null);
  }

  private Command push(String queue, Sealer sealer) {
    List<NewMessage> messages =
        List.of(
            NewMessage.to(queue, new byte[] {1}),
            NewMessage.to(queue, new byte[] {2}).transactionId("n" + random.nextInt(9)));
    return new Command.PushMessages(Packed.of(messages, sealer), messages.size(), null);
  }

  /** Only the id of the key counts for the rules. */
  private byte[] seal(NewMessage message) {
    byte[] envelope = new byte[Envelope.OVERHEAD_BYTES + message.payload().length];
    envelope[Envelope.NONCE_AT - 1] = (byte) (random.nextInt(4) == 0 ? KEY + 1 : KEY);
    return envelope;
  }
}
