package io.holdfast.engine.command;

import io.holdfast.api.PopRequest;
import io.holdfast.engine.command.Command.Part;
import io.holdfast.engine.command.Command.Tick.SweepFrom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Commands and their stamps as bytes, for a log that is applied elsewhere or later.
 *
 * <p>Encode a push before it is applied: applying hands its bytes over to the store.
 */
public final class CommandCodec {
  /** Bumped when bytes written by this version cannot be read by the one before. */
  public static final int FORMAT = 3;

  private static final int PUSH = 1;
  private static final int POP = 2;
  private static final int SETTLE = 3;
  private static final int EXTEND = 4;
  private static final int START = 5;
  private static final int COMMIT = 6;
  private static final int CANCEL = 7;
  private static final int RESCHEDULE = 8;
  private static final int CONFIGURE = 9;
  private static final int PAUSE = 10;
  private static final int PURGE = 11;
  private static final int DELETE_QUEUE = 12;
  private static final int SEEK = 13;
  private static final int DELETE_GROUP = 14;
  private static final int REQUEUE_DEAD = 15;
  private static final int REMOVE_DEAD = 16;
  private static final int TICK = 17;
  private static final int SUBSCRIBE = 18;
  private static final int OPEN_SESSION = 19;
  private static final int SET_LIMITS = 20;

  private CommandCodec() {}

  /** A command and the stamp that orders it. */
  public record Entry(Stamp stamp, Command command) {}

  public static byte[] bytes(Stamp stamp, Command command) {
    ByteWriter out = new ByteWriter(128).byte1(FORMAT);
    out.varint(stamp.index()).varint(stamp.nowMs()).long8(stamp.random());
    write(out, command);
    return out.done();
  }

  /**
   * What {@link #bytes} was given.
   *
   * @throws IllegalArgumentException if another version wrote it
   */
  public static Entry read(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    int format = in.byte1();
    if (format != FORMAT) {
      throw new IllegalArgumentException(
          "format: expected a command of format " + FORMAT + ", but got " + format);
    }
    Stamp stamp = new Stamp(in.varint(), in.varint(), in.long8());
    return new Entry(stamp, read(in));
  }

  private static void write(ByteWriter out, Command command) {
    switch (command) {
      case Command.PushMessages push -> writePush(out.byte1(PUSH), push);
      case Command.OpenSession open -> out.byte1(OPEN_SESSION);
      case Command.PopMessages pop -> writePop(out.byte1(POP), pop);
      case Command.SettleMessages settle ->
          RequestCodec.write(out.byte1(SETTLE), settle.request().settles())
              .flag(settle.request().atomic());
      case Command.ExtendLease extend ->
          out.byte1(EXTEND).text(extend.leaseId()).varint(extend.leaseMs());
      case Command.StartTask start ->
          RequestCodec.write(out.byte1(START), start.request().handle())
              .maybe(start.request().worker());
      case Command.CommitOperations commit -> writeCommit(out.byte1(COMMIT), commit);
      case Command.CancelMessage cancel -> RequestCodec.write(out.byte1(CANCEL), cancel.message());
      case Command.RescheduleMessage again ->
          RequestCodec.write(out.byte1(RESCHEDULE), again.message()).varint(again.visibleAtMs());
      case Command.ConfigureQueue configure ->
          RequestCodec.write(out.byte1(CONFIGURE), configure.request());
      case Command.PauseQueue pause -> out.byte1(PAUSE).text(pause.queue()).flag(pause.paused());
      case Command.PurgeQueue purge ->
          out.byte1(PURGE).text(purge.queue()).maybe(purge.partition()).maybe(purge.from());
      case Command.DeleteQueue delete -> out.byte1(DELETE_QUEUE).text(delete.queue());
      case Command.SeekGroup seek ->
          RequestCodec.write(out.byte1(SEEK), seek.request()).maybe(seek.from());
      case Command.SubscribeGroup subscribe ->
          RequestCodec.write(out.byte1(SUBSCRIBE), subscribe.request());
      case Command.DeleteGroup delete ->
          out.byte1(DELETE_GROUP).text(delete.queue()).text(delete.group()).varint(delete.after());
      case Command.RequeueDead requeue ->
          RequestCodec.write(out.byte1(REQUEUE_DEAD), requeue.filter()).varint(requeue.after());
      case Command.RemoveDead remove ->
          RequestCodec.write(out.byte1(REMOVE_DEAD), remove.filter()).varint(remove.after());
      case Command.SetLimits set -> set.limits().write(out.byte1(SET_LIMITS));
      case Command.Tick tick -> writeTick(out.byte1(TICK), tick);
    }
  }

  private static Command read(ByteReader in) {
    int tag = in.byte1();
    return switch (tag) {
      case PUSH -> readPush(in);
      case OPEN_SESSION -> new Command.OpenSession();
      case POP -> readPop(in);
      case SETTLE -> new Command.SettleMessages(RequestCodec.settleRequest(in));
      case EXTEND -> new Command.ExtendLease(in.text(), in.varint());
      case START -> new Command.StartTask(RequestCodec.start(in));
      case COMMIT -> readCommit(in);
      case CANCEL -> new Command.CancelMessage(RequestCodec.ref(in));
      case RESCHEDULE -> new Command.RescheduleMessage(RequestCodec.ref(in), in.varint());
      case CONFIGURE -> new Command.ConfigureQueue(RequestCodec.configure(in));
      case PAUSE -> new Command.PauseQueue(in.text(), in.flag());
      case PURGE -> new Command.PurgeQueue(in.text(), in.maybe(), in.maybe());
      case DELETE_QUEUE -> new Command.DeleteQueue(in.text());
      case SEEK -> new Command.SeekGroup(RequestCodec.seek(in), in.maybe());
      case SUBSCRIBE -> new Command.SubscribeGroup(RequestCodec.subscribe(in));
      case DELETE_GROUP -> new Command.DeleteGroup(in.text(), in.text(), in.varint());
      case REQUEUE_DEAD -> new Command.RequeueDead(RequestCodec.filter(in), in.varint());
      case REMOVE_DEAD -> new Command.RemoveDead(RequestCodec.filter(in), in.varint());
      case SET_LIMITS -> new Command.SetLimits(ShardLimits.read(in));
      case TICK ->
          new Command.Tick(in.flag() ? new SweepFrom(in.count(), in.text()) : null);
      default -> throw new IllegalArgumentException("command: expected a known one, got " + tag);
    };
  }

  private static void writeTick(ByteWriter out, Command.Tick tick) {
    SweepFrom sweep = tick.sweep();
    out.flag(sweep != null);
    if (sweep != null) {
      out.varint(sweep.queue()).text(sweep.partition());
    }
  }

  private static void writePush(ByteWriter out, Command.PushMessages push) {
    out.varint(push.lanes().size());
    push.lanes().forEach(packed -> writePacked(out, packed));
    RequestCodec.write(out.varint(push.count()).maybe(push.requestId()), push.number());
  }

  private static Command readPush(ByteReader in) {
    List<Packed> lanes = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      lanes.add(readPacked(in));
    }
    return new Command.PushMessages(lanes, in.count(), in.maybe(), RequestCodec.number(in));
  }

  private static void writePop(ByteWriter out, Command.PopMessages pop) {
    RequestCodec.write(out, pop.request());
    out.varint(pop.keys().size());
    pop.keys().stream().sorted().forEach(key -> out.fixed(key, 4));
  }

  private static Command readPop(ByteReader in) {
    PopRequest request = RequestCodec.pop(in);
    Set<Integer> keys = new HashSet<>();
    for (int left = in.count(); left > 0; left--) {
      keys.add((int) in.fixed(4));
    }
    return new Command.PopMessages(request, keys);
  }

  private static void writePacked(ByteWriter out, Packed packed) {
    out.text(packed.queue()).text(packed.partition()).varint(packed.lane()).bytes(packed.bytes());
    out.varint(packed.items().length);
    for (int item : packed.items()) {
      out.varint(item);
    }
    out.varint(packed.names().size());
    packed.names().forEach(out::maybe);
    out.varint(packed.delayMs()).varint(packed.visibleAtMs());
  }

  private static Packed readPacked(ByteReader in) {
    String queue = in.text();
    String partition = in.text();
    int lane = in.count();
    byte[] bytes = in.bytes();
    int[] items = new int[in.count()];
    for (int i = 0; i < items.length; i++) {
      items[i] = in.count();
    }
    List<@Nullable String> names = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      names.add(in.maybe());
    }
    return new Packed(queue, partition, lane, bytes, items, names, in.varint(), in.varint());
  }

  private static void writeCommit(ByteWriter out, Command.CommitOperations commit) {
    out.varint(commit.parts().size());
    for (Part part : commit.parts()) {
      switch (part) {
        case Part.Push push -> {
          writePacked(out.byte1('p'), push.messages());
          out.flag(push.ignoreDuplicate());
        }
        case Part.Other other -> OperationCodec.write(out.byte1('o'), other.operation());
      }
    }
    RequestCodec.write(out.maybe(commit.requestId()), commit.number());
  }

  private static Command readCommit(ByteReader in) {
    List<Part> parts = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      parts.add(
          switch (in.byte1()) {
            case 'p' -> new Part.Push(readPacked(in), in.flag());
            case 'o' -> new Part.Other(OperationCodec.read(in));
            default -> throw new IllegalArgumentException("part: expected a push or another");
          });
    }
    return new Command.CommitOperations(parts, in.maybe(), RequestCodec.number(in));
  }
}
