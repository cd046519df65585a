package io.holdfast.bench.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.bench.crash.CrashQueues.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One worker of the child: it does steps at random in a partition of its own, and writes down each
 * before it tries it and its answer before it goes on.
 *
 * <p>Thread: one at a time.
 */
final class CrashWorker {
  /** Where lines go; a line is out of the process when this returns. */
  interface Log {
    void write(Line line);
  }

  private static final long LEASE_MS = 600_000;
  private static final long HOUR_MS = 3_600_000;
  private static final int BATCH_MAX = 5;

  private final Broker broker;
  private final int number;
  private final Place place;
  private final Log log;
  private final Random random;
  private final Map<String, Handle> held = new LinkedHashMap<>();
  private String lease = "";
  private long next;
  private long commits;

  CrashWorker(Broker broker, int round, int number, long seed, Log log) {
    this.broker = broker;
    this.number = number;
    this.place = Place.of(round, number);
    this.log = log;
    this.random = new Random(seed);
  }

  /** Works until an answer is wrong. */
  void work() {
    while (true) {
      Step step = choose();
      log.write(new Line(number, Line.Kind.TRY, step.text()));
      String answer;
      try {
        answer = attempt(step);
      } catch (RuntimeException e) {
        log.write(new Line(number, Line.Kind.WRONG, step.text() + " answered " + e));
        return;
      }
      log.write(new Line(number, Line.Kind.DONE, answer));
    }
  }

  private Step choose() {
    int dice = random.nextInt(100);
    if (dice < 35) {
      return choosePush();
    }
    if (held.isEmpty()) {
      return dice < 85
          ? new Step.Pop(1 + random.nextInt(BATCH_MAX), List.of())
          : new Step.Commit(Step.NONE, commits, newName());
    }
    List<String> names = List.copyOf(held.keySet());
    String one = names.get(random.nextInt(names.size()));
    if (dice < 55) {
      return new Step.Pop(1 + random.nextInt(BATCH_MAX), names);
    }
    if (dice < 65) {
      return new Step.SettleHeld(Outcome.ACK, names);
    }
    if (dice < 73) {
      return new Step.SettleHeld(Outcome.ACK, List.of(one));
    }
    if (dice < 80) {
      return new Step.SettleHeld(Outcome.NACK, List.of(one));
    }
    if (dice < 85) {
      return new Step.SettleHeld(Outcome.RELEASE, List.of(one));
    }
    if (dice < 92) {
      return new Step.Commit(one, commits, newName());
    }
    if (dice < 95) {
      return new Step.Transaction(names, List.of(newName(), newName()));
    }
    return dice < 98 ? new Step.WrongCommit(one, commits + 1, newName()) : new Step.Extend();
  }

  private Step choosePush() {
    List<Step.Push.Item> items = new ArrayList<>();
    int dice = random.nextInt(10);
    if (dice == 0) {
      // Alone, because one that was not answered has no id to look for.
      items.add(new Step.Push.Item(newName(), HOUR_MS, random.nextBoolean()));
    } else {
      int count = 1 + random.nextInt(BATCH_MAX);
      for (int i = 0; i < count; i++) {
        long delayMs = dice == 1 ? 100 + random.nextInt(300) : 0;
        items.add(new Step.Push.Item(newName(), delayMs, dice > 6));
      }
    }
    return new Step.Push(System.currentTimeMillis(), items);
  }

  private String newName() {
    return place.partition() + "-" + next++;
  }

  private String attempt(Step step) {
    return switch (step) {
      case Step.Push push -> push(push);
      case Step.Pop pop -> pop(pop);
      case Step.SettleHeld settle -> settle(settle);
      case Step.Extend extend -> {
        broker.extend(ExtendRequest.of(lease, LEASE_MS)).orThrow();
        yield Step.NONE;
      }
      case Step.Commit commit -> commit(commit);
      case Step.Transaction both -> transact(both);
      case Step.WrongCommit wrong -> {
        var refused = broker.commit(request(wrong.ack(), wrong.position(), wrong.push()));
        expect(refused, ErrorCode.WRONG_POSITION);
        yield Step.NONE;
      }
    };
  }

  private String push(Step.Push push) {
    List<NewMessage> messages = new ArrayList<>();
    for (Step.Push.Item item : push.items()) {
      NewMessage message = message(item.name()).delayMs(item.delayMs());
      messages.add(item.named() ? message.transactionId(item.name()) : message);
    }
    List<String> ids = new ArrayList<>();
    for (PushedMessage pushed : broker.push(PushRequest.of(messages)).orThrow().messages()) {
      if (pushed.duplicate()) {
        throw new IllegalStateException("duplicate of " + pushed.id());
      }
      ids.add(pushed.id().toString());
    }
    return String.join(" ", ids);
  }

  private NewMessage message(String name) {
    return NewMessage.to(place.queue(), name.getBytes(UTF_8)).partition(place.partition());
  }

  private String pop(Step.Pop pop) {
    List<Settle> acks = pop.acks().stream().map(name -> Settle.ack(handle(name))).toList();
    Popped popped =
        broker
            .pop(
                PopRequest.partition(place.queue(), place.partition())
                    .batch(pop.batch())
                    .leaseMs(LEASE_MS)
                    .settles(acks))
            .orThrow();
    popped.settled().forEach(verdict -> expect(verdict, SettleVerdict.Status.ACKED));
    held.clear();
    lease = popped.leaseId();
    StringBuilder answer = new StringBuilder(popped.isEmpty() ? Step.NONE : lease);
    answer.append(' ').append(System.currentTimeMillis());
    for (Delivery delivery : popped.messages()) {
      String name = new String(delivery.message().payload(), UTF_8);
      held.put(name, delivery.handle());
      answer.append(' ').append(name);
    }
    return answer.toString();
  }

  private String settle(Step.SettleHeld step) {
    List<Settle> settles =
        step.names().stream()
            .map(
                name ->
                    switch (step.outcome()) {
                      case ACK -> Settle.ack(handle(name));
                      case NACK -> Settle.nack(handle(name), "at random");
                      case RELEASE -> Settle.release(handle(name));
                      case KILL -> Settle.kill(handle(name), "at random");
                    })
            .toList();
    List<String> statuses = new ArrayList<>();
    for (SettleVerdict verdict : broker.settle(SettleRequest.of(settles)).orThrow().verdicts()) {
      if (!verdict.applied()) {
        throw new IllegalStateException(verdict.toString());
      }
      statuses.add(verdict.status().name());
    }
    step.names().forEach(held::remove);
    return String.join(" ", statuses);
  }

  private String commit(Step.Commit step) {
    Committed committed =
        broker.commit(request(step.ack(), step.position(), step.push())).orThrow();
    commits++;
    held.remove(step.ack());
    return pushedBy(committed, 1);
  }

  private String transact(Step.Transaction step) {
    List<Operation> operations = new ArrayList<>();
    step.acks().forEach(name -> operations.add(ack(name)));
    step.pushes().forEach(name -> operations.add(new Operation.PushMessage(message(name), false)));
    Committed committed = broker.commit(new CommitRequest(operations, null)).orThrow();
    step.acks().forEach(held::remove);
    return pushedBy(committed, step.pushes().size());
  }

  private static String pushedBy(Committed committed, int expected) {
    List<String> ids = new ArrayList<>();
    for (Committed.Step done : committed.steps()) {
      if (done instanceof Committed.Step.MessagePushed pushed) {
        ids.add(pushed.message().id().toString());
      }
    }
    if (ids.size() != expected) {
      throw new IllegalStateException("expected " + expected + " pushes, but got " + committed);
    }
    return String.join(" ", ids);
  }

  private Operation ack(String name) {
    return new Operation.SettleMessage(Settle.ack(handle(name)));
  }

  private CommitRequest request(String ack, long position, String push) {
    byte[] event = Long.toString(position).getBytes(UTF_8);
    List<Operation> operations = new ArrayList<>();
    if (!ack.equals(Step.NONE)) {
      operations.add(ack(ack));
    }
    operations.add(new Operation.PushMessage(message(push), false));
    operations.add(new Operation.PutRecord(place.journal(), Operation.ANY_VERSION, event));
    operations.add(new Operation.AppendJournal(place.journal(), position, List.of(event)));
    return new CommitRequest(operations, null);
  }

  private Handle handle(String name) {
    @Nullable Handle handle = held.get(name);
    if (handle == null) {
      throw new IllegalStateException("not held: " + name);
    }
    return handle;
  }

  private static void expect(SettleVerdict verdict, SettleVerdict.Status status) {
    if (verdict.status() != status) {
      throw new IllegalStateException(verdict.toString());
    }
  }

  private static void expect(Result<?> result, ErrorCode code) {
    if (result.isOk() || result.refusal().code() != code) {
      throw new IllegalStateException("expected " + code + ", but got " + result);
    }
  }
}
