package io.holdfast.engine.command;

import io.holdfast.api.ConfigureRequest;
import io.holdfast.api.DeadLetterFilter;
import io.holdfast.api.Handle;
import io.holdfast.api.MessageRef;
import io.holdfast.api.PopRequest;
import io.holdfast.api.PopSource;
import io.holdfast.api.Position;
import io.holdfast.api.QueueOption;
import io.holdfast.api.RequestNumber;
import io.holdfast.api.SeekRequest;
import io.holdfast.api.Settle;
import io.holdfast.api.SettleRequest;
import io.holdfast.api.StartFrom;
import io.holdfast.api.StartRequest;
import io.holdfast.api.SubscribeRequest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The requests that commands carry, as bytes; words instead of ordinals where a list may grow. */
final class RequestCodec {
  private RequestCodec() {}

  static ByteWriter write(ByteWriter out, PopRequest pop) {
    switch (pop.source()) {
      case PopSource.WholeQueue whole -> out.byte1('q').text(whole.queue());
      case PopSource.OnePartition one -> out.byte1('p').text(one.queue()).text(one.partition());
      case PopSource.Tagged tagged -> out.byte1('t').maybe(tagged.namespace()).maybe(tagged.task());
    }
    out.text(pop.group()).varint(pop.batch()).varint(pop.partitions()).varint(pop.waitMs());
    out.varint(pop.leaseMs()).flag(pop.autoAck());
    write(out, pop.start());
    return write(out.maybe(pop.worker()), pop.settles())
        .maybe(pop.joinLease())
        .maybe(pop.attemptId())
        .varint(pop.stickyMs());
  }

  static PopRequest pop(ByteReader in) {
    return new PopRequest(
        source(in),
        in.text(),
        in.count(),
        in.count(),
        in.varint(),
        in.varint(),
        in.flag(),
        startFrom(in),
        in.maybe(),
        settles(in),
        in.maybe(),
        in.maybe(),
        in.varint());
  }

  static void write(ByteWriter out, @Nullable RequestNumber number) {
    out.maybe(number == null ? null : number.session());
    if (number != null) {
      out.varint(number.slot()).varint(number.sequence());
    }
  }

  static @Nullable RequestNumber number(ByteReader in) {
    String session = in.maybe();
    return session == null ? null : new RequestNumber(session, in.count(), in.varint());
  }

  private static PopSource source(ByteReader in) {
    return switch (in.byte1()) {
      case 'q' -> new PopSource.WholeQueue(in.text());
      case 'p' -> new PopSource.OnePartition(in.text(), in.text());
      case 't' -> new PopSource.Tagged(in.maybe(), in.maybe());
      default -> throw unknown("source");
    };
  }

  private static void write(ByteWriter out, StartFrom start) {
    switch (start) {
      case StartFrom.All all -> out.byte1('a');
      case StartFrom.New fresh -> out.byte1('n');
      case StartFrom.Time time -> out.byte1('t').varint(time.fromMs());
    }
  }

  private static StartFrom startFrom(ByteReader in) {
    return switch (in.byte1()) {
      case 'a' -> StartFrom.ALL;
      case 'n' -> StartFrom.NEW;
      case 't' -> new StartFrom.Time(in.varint());
      default -> throw unknown("start");
    };
  }

  static ByteWriter write(ByteWriter out, List<Settle> settles) {
    out.varint(settles.size());
    settles.forEach(settle -> write(out, settle));
    return out;
  }

  static void write(ByteWriter out, Settle settle) {
    switch (settle.target()) {
      case Settle.Target.Held held -> write(out.byte1('h'), held.handle());
      case Settle.Target.WholeLease whole -> out.byte1('w').text(whole.leaseId());
      case Settle.Target.Unfenced unfenced ->
          write(out.byte1('u').text(unfenced.group()), unfenced.message());
      case Settle.Target.HeldByName named ->
          out.byte1('n')
              .text(named.leaseId())
              .varint(named.partition())
              .text(named.transactionId());
    }
    out.text(settle.outcome().name()).maybe(settle.error());
    out.varint(settle.delayMs()).flag(settle.rest());
  }

  static Settle settle(ByteReader in) {
    return new Settle(
        target(in), Settle.Outcome.valueOf(in.text()), in.maybe(), in.varint(), in.flag());
  }

  private static Settle.Target target(ByteReader in) {
    return switch (in.byte1()) {
      case 'h' -> new Settle.Target.Held(handle(in));
      case 'w' -> new Settle.Target.WholeLease(in.text());
      case 'u' -> new Settle.Target.Unfenced(in.text(), ref(in));
      case 'n' -> new Settle.Target.HeldByName(in.text(), in.varint(), in.text());
      default -> throw unknown("target");
    };
  }

  private static List<Settle> settles(ByteReader in) {
    List<Settle> settles = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      settles.add(settle(in));
    }
    return settles;
  }

  static SettleRequest settleRequest(ByteReader in) {
    return new SettleRequest(settles(in), in.flag());
  }

  static ByteWriter write(ByteWriter out, Handle handle) {
    Position at = handle.position();
    return out.text(handle.leaseId()).varint(at.partition()).varint(at.lane()).varint(at.seq());
  }

  private static Handle handle(ByteReader in) {
    return new Handle(in.text(), new Position(in.varint(), in.count(), in.varint()));
  }

  static StartRequest start(ByteReader in) {
    return new StartRequest(handle(in), in.maybe());
  }

  static ByteWriter write(ByteWriter out, MessageRef ref) {
    return switch (ref) {
      case MessageRef.ById byId -> write(out.byte1('i'), byId.id());
      case MessageRef.ByName name ->
          out.byte1('n').text(name.queue()).text(name.partition()).text(name.transactionId());
      case MessageRef.InPartition in ->
          out.byte1('p').varint(in.partition()).text(in.transactionId());
    };
  }

  static MessageRef ref(ByteReader in) {
    return switch (in.byte1()) {
      case 'i' -> new MessageRef.ById(id(in));
      case 'n' -> new MessageRef.ByName(in.text(), in.text(), in.text());
      case 'p' -> new MessageRef.InPartition(in.varint(), in.text());
      default -> throw unknown("message");
    };
  }

  private static ByteWriter write(ByteWriter out, UUID id) {
    return out.long8(id.getMostSignificantBits()).long8(id.getLeastSignificantBits());
  }

  private static UUID id(ByteReader in) {
    return new UUID(in.long8(), in.long8());
  }

  static void write(ByteWriter out, ConfigureRequest request) {
    out.text(request.queue()).varint(request.changes().size());
    for (Map.Entry<QueueOption, ? extends @Nullable Object> change : request.changes().entrySet()) {
      out.text(change.getKey().wireName());
      switch (change.getValue()) {
        case null -> out.byte1('-');
        case Number number -> out.byte1('n').varint(number.longValue());
        case Boolean flag -> out.byte1('b').flag(flag);
        case Object text -> out.byte1('t').text((String) text);
      }
    }
    out.flag(request.replace());
  }

  static ConfigureRequest configure(ByteReader in) {
    String queue = in.text();
    Map<QueueOption, @Nullable Object> changes = new EnumMap<>(QueueOption.class);
    for (int left = in.count(); left > 0; left--) {
      QueueOption option = QueueOption.named(in.text());
      changes.put(
          option,
          switch (in.byte1()) {
            case '-' -> null;
            case 'n' -> in.varint();
            case 'b' -> in.flag();
            case 't' -> in.text();
            default -> throw unknown("option");
          });
    }
    return new ConfigureRequest(queue, changes, in.flag());
  }

  static ByteWriter write(ByteWriter out, SeekRequest seek) {
    out.text(seek.queue()).text(seek.group()).maybe(seek.partition());
    return switch (seek.to()) {
      case SeekRequest.To.Beginning beginning -> out.byte1('b');
      case SeekRequest.To.End end -> out.byte1('e');
      case SeekRequest.To.Time time -> out.byte1('t').varint(time.fromMs());
    };
  }

  static SeekRequest seek(ByteReader in) {
    return new SeekRequest(
        in.text(),
        in.text(),
        in.maybe(),
        switch (in.byte1()) {
          case 'b' -> new SeekRequest.To.Beginning();
          case 'e' -> new SeekRequest.To.End();
          case 't' -> new SeekRequest.To.Time(in.varint());
          default -> throw unknown("to");
        });
  }

  static void write(ByteWriter out, SubscribeRequest subscribe) {
    write(out.text(subscribe.queue()).text(subscribe.group()), subscribe.start());
  }

  static SubscribeRequest subscribe(ByteReader in) {
    return new SubscribeRequest(in.text(), in.text(), startFrom(in));
  }

  static ByteWriter write(ByteWriter out, DeadLetterFilter filter) {
    out.text(filter.queue()).maybe(filter.group()).maybe(filter.partition());
    UUID id = filter.messageId();
    out.flag(id != null);
    if (id != null) {
      write(out, id);
    }
    return out.maybe(filter.errorContains()).varint(filter.fromMs()).varint(filter.toMs());
  }

  static DeadLetterFilter filter(ByteReader in) {
    return new DeadLetterFilter(
        in.text(),
        in.maybe(),
        in.maybe(),
        in.flag() ? id(in) : null,
        in.maybe(),
        in.varint(),
        in.varint());
  }

  private static IllegalArgumentException unknown(String field) {
    return new IllegalArgumentException(field + ": expected a known kind, but got another");
  }
}
