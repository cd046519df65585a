package io.holdfast.engine.logic;

import io.holdfast.api.Limits;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RequestNumber;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.group.SubscribeRequest;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.Position;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.task.StartRequest;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Command.Part;
import io.holdfast.engine.command.Command.Tick.SweepFrom;
import io.holdfast.engine.command.Envelope;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.MessageId;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.ShardLimits;
import io.holdfast.engine.command.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Commands as busy and careless users send them: few names, so that they meet; handles that were
 * right once; time that stands, crawls and leaps.
 */
public final class RandomLog {
  private static final long START_MS = 1_700_000_000_000L;
  private static final List<String> GROUPS = List.of(PopRequest.QUEUE_MODE, "g", "h");
  private static final List<String> PARTITIONS = List.of("a", "b", "c");
  private static final List<String> WORKERS = List.of("w", "x", "y");
  private static final int REMEMBERED = 40;
  private static final int QUEUES = 3;

  /** Most partitions that live at a time. */
  static final int PARTITIONS_MAX = QUEUES * PARTITIONS.size();

  /** Options of the queues a log may use; each log uses a few of them. */
  static final List<Map<QueueOption, Object>> KINDS =
      List.of(
          Map.of(QueueOption.RETRY_LIMIT, 1, QueueOption.LEASE_TIME, 20),
          Map.of(QueueOption.ON_FAILURE, "skip", QueueOption.COMPLETED_RETENTION, 30),
          Map.of(
              QueueOption.DELIVERY, "shared",
              QueueOption.MAX_IN_FLIGHT, 5,
              QueueOption.COMPLETED_RETENTION, 5),
          Map.of(
              QueueOption.TRACK, true,
              QueueOption.COMPLETED_RETENTION, 10,
              QueueOption.DELIVERY_LIMIT, 2,
              QueueOption.LEASE_TIME, 5),
          Map.of(QueueOption.TTL, 20, QueueOption.DEDUP_WINDOW, 10),
          Map.of(QueueOption.MAX_WAIT_TIME, 15, QueueOption.DELIVERY, "shared"),
          Map.of(QueueOption.MAX_SIZE, 8, QueueOption.COMPLETED_RETENTION, 3),
          Map.of(QueueOption.DELAYED_PROCESSING, 3),
          Map.of(QueueOption.WINDOW_BUFFER, 2, QueueOption.DELIVERY, "shared"),
          Map.of(
              QueueOption.COMPLETED_RETENTION, 0,
              QueueOption.DEDUP_WINDOW, 0,
              QueueOption.RETRY_DELAY, 0),
          Map.of(
              QueueOption.DELIVERY, "shared",
              QueueOption.TRACK, true,
              QueueOption.DEAD_LETTER_QUEUE, false,
              QueueOption.DLQ_AFTER_MAX_RETRIES, false,
              QueueOption.REQUIRE_LEASE, true,
              QueueOption.COMPLETED_RETENTION, 2),
          Map.of(
              QueueOption.RETENTION, 30,
              QueueOption.DEAD_RETENTION, 40,
              QueueOption.RETRY_LIMIT, 0,
              QueueOption.COMPLETED_RETENTION, 10));

  private final Random random;

  /** Whether queues change what kind they are; the model does not follow that. */
  private final boolean changing;

  /** Whether queues may be encrypted, and limits may change; the model does not follow that. */
  private final boolean sealed;

  /**
   * Whether users are careful: most use one queue and one group, push little, take all and ack it
   * soon. Only then partitions are empty often enough to be left to the worker that emptied them.
   */
  private final boolean careful;

  private final List<String> queues = new ArrayList<>();
  private final List<Handle> handles = new ArrayList<>();
  private final List<String> leases = new ArrayList<>();
  private final List<UUID> ids = new ArrayList<>();
  private final List<String> sessions = new ArrayList<>();

  /** The last sequence of each slot of each session. */
  private final Map<String, Long> sequences = new HashMap<>();

  private final List<Command> opening = new ArrayList<>();
  private long index;
  private long nowMs = START_MS;
  private int payloads;

  RandomLog(long seed) {
    this(seed, false);
  }

  public RandomLog(long seed, boolean changing) {
    this(seed, changing, false);
  }

  public RandomLog(long seed, boolean changing, boolean sealed) {
    this.random = new Random(seed);
    this.changing = changing;
    this.sealed = sealed;
    this.careful = seed % 4 == 1;
    opening.add(new Command.OpenSession());
    while (queues.size() < QUEUES) {
      int kind = random.nextInt(KINDS.size());
      String queue = "q" + kind;
      if (!queues.contains(queue)) {
        queues.add(queue);
        opening.add(
            new Command.ConfigureQueue(new ConfigureRequest(queue, KINDS.get(kind), false)));
      }
    }
    if (sealed) {
      opening.add(encrypt(true));
    }
  }

  private Command encrypt(boolean on) {
    return new Command.ConfigureQueue(
        ConfigureRequest.queue(queues.getFirst()).set(QueueOption.ENCRYPTION, on));
  }

  /** Seals most messages; only the id of the key counts for the rules. */
  private byte @Nullable [] seal(NewMessage message) {
    if (!sealed || random.nextInt(message.queue().equals(queues.getFirst()) ? 12 : 3) == 0) {
      return null;
    }
    byte[] envelope = new byte[Envelope.OVERHEAD_BYTES];
    envelope[Envelope.NONCE_AT - 1] = (byte) (1 + random.nextInt(2));
    return envelope;
  }

  private Set<Integer> keys() {
    if (!sealed) {
      return Set.of();
    }
    return switch (random.nextInt(6)) {
      case 0 -> Set.of();
      case 1 -> Set.of(1);
      case 2 -> Set.of(2);
      default -> Set.of(1, 2);
    };
  }

  private Command setLimits() {
    return new Command.SetLimits(
        ShardLimits.of(2 + random.nextInt(3), 6 + random.nextInt(6), 2 + random.nextInt(2), 400)
            .commandRowsMax(1 + random.nextInt(50)));
  }

  public Stamp stamp() {
    int chance = random.nextInt(100);
    if (chance >= 40) {
      int most =
          careful && chance < 92
              ? 200
              : chance < 70 ? 500 : chance < 95 ? 5_000 : chance < 99 ? 70_000 : 700_000;
      nowMs += random.nextInt(most);
    }
    return new Stamp(++index, nowMs, random.nextLong());
  }

  long nowMs() {
    return nowMs;
  }

  /** Moves the clock, forwards or backwards. */
  void jump(long ms) {
    nowMs += ms;
  }

  List<UUID> ids() {
    return List.copyOf(ids);
  }

  public Command next() {
    if (!opening.isEmpty()) {
      return opening.removeFirst();
    }
    int chance = random.nextInt(100);
    if (chance < 28) {
      return push();
    }
    if (chance < (careful ? 62 : 56)) {
      return new Command.PopMessages(pop(), keys());
    }
    if (chance < 74) {
      return new Command.SettleMessages(new SettleRequest(settles(), random.nextInt(4) == 0));
    }
    return chance < 90 ? seldom(chance) : rare();
  }

  private Command seldom(int chance) {
    return switch (chance) {
      case 74, 75, 76, 77, 78, 79 -> new Command.Tick(SweepFrom.START);
      case 80 -> new Command.Tick(null);
      case 81 -> new Command.ExtendLease(lease(), 1 + random.nextInt(20_000));
      case 82 -> new Command.StartTask(new StartRequest(handle(), "w"));
      case 83, 84 -> new Command.CancelMessage(ref());
      case 85, 86 -> new Command.RescheduleMessage(ref(), nowMs + random.nextInt(8_000) - 1_000);
      default -> commit();
    };
  }

  private Command rare() {
    String queue = any(queues);
    if (sealed && random.nextInt(6) == 0) {
      return random.nextBoolean() ? setLimits() : encrypt(random.nextInt(3) > 0);
    }
    return switch (random.nextInt(20)) {
      case 0, 1 ->
          new Command.SeekGroup(new SeekRequest(queue, any(GROUPS), maybePartition(), to()), null);
      case 2 -> new Command.PurgeQueue(queue, maybePartition(), null);
      case 3, 4, 5 -> new Command.PauseQueue(queue, random.nextInt(4) == 0);
      case 6 -> configure(queue);
      case 7 ->
          changing
              ? configure(queue)
              : random.nextInt(3) == 0
                  ? new Command.DeleteQueue(queue)
                  : new Command.Tick(SweepFrom.START);
      case 8 -> new Command.DeleteGroup(queue, any(GROUPS), 0);
      case 9, 10, 11, 12 -> new Command.RequeueDead(filter(queue), 0);
      case 13 -> new Command.RemoveDead(filter(queue), 0);
      case 14 -> new Command.SubscribeGroup(new SubscribeRequest(queue, any(GROUPS), start(queue)));
      case 15, 16 -> new Command.OpenSession();
      case 17 -> new Command.RaiseFormat(FormatLevels.KNOWN.newest());
      default -> push();
    };
  }

  private Command configure(String queue) {
    int kind = changing ? random.nextInt(KINDS.size()) : Integer.parseInt(queue.substring(1));
    return new Command.ConfigureQueue(new ConfigureRequest(queue, KINDS.get(kind), true));
  }

  private DeadLetterFilter filter(String queue) {
    DeadLetterFilter all = DeadLetterFilter.queue(queue);
    return switch (random.nextInt(5)) {
      case 0 -> all.group(any(GROUPS));
      case 1 -> all.partition(any(PARTITIONS));
      case 2 -> all.message(recent(ids, new UUID(1, 2)));
      default -> all;
    };
  }

  private SeekRequest.To to() {
    return switch (random.nextInt(3)) {
      case 0 -> new SeekRequest.To.Beginning();
      case 1 -> new SeekRequest.To.End();
      default -> new SeekRequest.To.Time(nowMs - random.nextInt(10_000));
    };
  }

  private Command push() {
    List<NewMessage> messages = new ArrayList<>();
    String queue = queue();
    for (int left = careful ? 1 : 1 + random.nextInt(4); left > 0; left--) {
      messages.add(message(queue));
    }
    RequestNumber number = maybeNumber();
    return new Command.PushMessages(
        Packed.of(messages, this::seal),
        messages.size(),
        number == null ? maybeRequestId() : null,
        number);
  }

  private String queue() {
    return careful && random.nextInt(6) > 0 ? queues.getFirst() : any(queues);
  }

  private @Nullable String maybeRequestId() {
    return random.nextInt(12) == 0 ? "r" + random.nextInt(4) : null;
  }

  /** The next number of a slot, its last one again, or an older one. */
  private @Nullable RequestNumber maybeNumber() {
    if (sessions.isEmpty() || random.nextInt(2) > 0) {
      return null;
    }
    String session = recent(sessions, LeaseId.text(random.nextLong() >>> 1));
    int slot = random.nextInt(3);
    long last = sequences.getOrDefault(session + slot, 0L);
    long sequence =
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> Math.max(1, last);
          case 3 -> 1 + (long) random.nextInt((int) last + 1);
          case 4 -> last + 3;
          default -> last + 1;
        };
    sequences.put(session + slot, Math.max(last, sequence));
    return new RequestNumber(session, slot, sequence);
  }

  private NewMessage message(String queue) {
    byte[] payload = {(byte) (payloads >>> 8), (byte) payloads++};
    NewMessage message =
        NewMessage.to(queue, payload)
            .partition(any(PARTITIONS))
            .lane(random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0);
    if (random.nextInt(3) == 0) {
      message = message.transactionId("n" + random.nextInt(6));
    }
    return switch (random.nextInt(10)) {
      case 0 -> message.delayMs(1 + random.nextInt(6_000));
      case 1 -> message.visibleAtMs(nowMs + random.nextInt(6_000) - 500);
      case 2 -> message.headers(Map.of("h", "v"));
      default -> message;
    };
  }

  /** Messages for one lane: one that may be delayed, or several. */
  private List<NewMessage> alike() {
    NewMessage first = message(any(queues));
    List<NewMessage> messages = new ArrayList<>(List.of(first));
    boolean delayed = first.delayMs() > 0 || first.visibleAtMs() > 0;
    for (int left = delayed ? 0 : random.nextInt(4); left > 0; left--) {
      NewMessage next =
          message(first.queue()).partition(first.partition()).lane(first.lane()).delayMs(0);
      messages.add(next.visibleAtMs(0));
    }
    return messages;
  }

  private PopRequest pop() {
    String queue = queue();
    PopSource source =
        random.nextInt(3) == 0
            ? new PopSource.OnePartition(queue, any(PARTITIONS))
            : new PopSource.WholeQueue(queue);
    int groups = careful && random.nextInt(8) > 0 ? 1 : random.nextInt(3) == 0 ? 3 : 2;
    String group = any(GROUPS.subList(0, groups));
    boolean autoAck = random.nextInt(8) == 0;
    String joined = !autoAck && random.nextInt(6) == 0 ? lease() : null;
    boolean attempt = !autoAck && joined == null && random.nextInt(careful ? 8 : 2) == 0;
    boolean sticky = !ages(queue) && random.nextInt(4) > 0;
    return new PopRequest(
        source,
        group,
        1 + random.nextInt(careful || random.nextInt(3) == 0 ? 10 : 3),
        1 + random.nextInt(3),
        0,
        random.nextInt(3) == 0 ? 1 + random.nextInt(10_000) : 0,
        autoAck,
        start(queue),
        sticky || random.nextBoolean() ? any(WORKERS) : null,
        random.nextInt(4) == 0 ? settles() : List.of(),
        joined,
        attempt ? "a" + random.nextInt(2) : null,
        sticky ? Limits.STICKY_MS_MAX - random.nextInt(500) : 0);
  }

  private StartFrom start(String queue) {
    return switch (random.nextInt(12)) {
      case 0, 1 -> StartFrom.NEW;
      case 2 -> new StartFrom.Time(nowMs - random.nextInt(5_000));
      case 3, 4, 5 -> new StartFrom.Time(nowMs + (ages(queue) ? 0 : random.nextInt(60_000)));
      default -> StartFrom.ALL;
    };
  }

  /** Whether what waits gets too old: the model does not know when the engine passes it by. */
  private static boolean ages(String queue) {
    Map<QueueOption, Object> kind = KINDS.get(Integer.parseInt(queue.substring(1)));
    return kind.containsKey(QueueOption.TTL) || kind.containsKey(QueueOption.RETENTION);
  }

  private List<Settle> settles() {
    List<Settle> settles = new ArrayList<>();
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      settles.add(settle());
    }
    return settles;
  }

  private Settle settle() {
    if (careful && !leases.isEmpty() && random.nextInt(6) > 0) {
      return Settle.ackAll(recent(leases, "garbage"));
    }
    Settle.Outcome outcome =
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> Settle.Outcome.NACK;
          case 3 -> Settle.Outcome.RELEASE;
          case 4 -> Settle.Outcome.KILL;
          default -> Settle.Outcome.ACK;
        };
    boolean back = outcome == Settle.Outcome.NACK || outcome == Settle.Outcome.RELEASE;
    Settle.Target target =
        switch (random.nextInt(10)) {
          case 0, 1 -> new Settle.Target.WholeLease(lease());
          case 2 -> new Settle.Target.Unfenced(any(GROUPS), ref());
          case 3 ->
              new Settle.Target.HeldByName(lease(), 1 + random.nextInt(6), "n" + random.nextInt(6));
          default -> new Settle.Target.Held(handle());
        };
    long delayMs = random.nextInt(3) == 0 ? random.nextInt(3_000) : Settle.QUEUE_DELAY;
    return new Settle(target, outcome, "e", delayMs, back && random.nextInt(4) == 0);
  }

  private Command commit() {
    List<Part> parts = new ArrayList<>();
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      parts.add(
          switch (random.nextInt(9)) {
            case 8 ->
                new Part.Other(
                    new Operation.RemoveDead(
                        any(queues),
                        recent(ids, new UUID(1, 2)),
                        random.nextBoolean() ? any(GROUPS) : null));
            case 0, 1 -> new Part.Other(new Operation.SettleMessage(settle()));
            case 2 -> new Part.Other(new Operation.CancelMessage(ref()));
            case 3 ->
                new Part.Other(
                    new Operation.AppendJournal(
                        "j", random.nextInt(3), List.of(new byte[] {1}, new byte[] {2})));
            case 4 -> new Part.Other(new Operation.DeleteJournal("j"));
            case 5 ->
                new Part.Other(new Operation.PutRecord("k", random.nextInt(2) - 1, new byte[] {3}));
            case 6 -> new Part.Other(new Operation.DeleteRecord("k", Operation.ANY_VERSION));
            default ->
                new Part.Push(Packed.of(alike(), this::seal).getFirst(), random.nextBoolean());
          });
    }
    RequestNumber number = maybeNumber();
    return new Command.CommitOperations(parts, number == null ? maybeRequestId() : null, number);
  }

  /** Learns handles and ids from a reply, so that later commands can name them. */
  public void learn(Reply reply) {
    if (reply instanceof Reply.PoppedMessages popped && popped.lease() != LeaseId.NONE) {
      String lease = LeaseId.text(popped.lease());
      remember(leases, lease);
      for (Reply.Taken taken : popped.messages()) {
        Position at = new Position(taken.partitionId(), taken.lane(), taken.seq());
        remember(handles, new Handle(lease, at));
      }
    } else if (reply instanceof Reply.SessionOpened opened) {
      remember(sessions, LeaseId.text(opened.session()));
    } else if (reply instanceof Reply.PushedMessages pushed) {
      for (Reply.PushedMessages.Run run : pushed.runs()) {
        for (int i = 0; i < run.items().length; i++) {
          remember(ids, MessageId.uuid(run.createdMs(), run.partition(), run.firstSeq() + i));
        }
      }
    }
  }

  private static <T> void remember(List<T> all, T thing) {
    if (all.size() == REMEMBERED) {
      all.removeFirst();
    }
    all.add(thing);
  }

  /** One of the newest most often, an old one or garbage sometimes. */
  private <T> T recent(List<T> all, T garbage) {
    if (all.isEmpty() || random.nextInt(20) == 0) {
      return garbage;
    }
    int reach = random.nextInt(3) == 0 ? all.size() : Math.min(6, all.size());
    return all.get(all.size() - 1 - random.nextInt(reach));
  }

  private Handle handle() {
    return recent(handles, new Handle("garbage", new Position(1, 0, 1)));
  }

  private String lease() {
    return recent(leases, LeaseId.text(random.nextLong()));
  }

  private MessageRef ref() {
    return random.nextInt(3) == 0
        ? MessageRef.named(any(queues), any(PARTITIONS), "n" + random.nextInt(6))
        : MessageRef.id(recent(ids, new UUID(1, 2)));
  }

  private @Nullable String maybePartition() {
    return random.nextBoolean() ? any(PARTITIONS) : null;
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
