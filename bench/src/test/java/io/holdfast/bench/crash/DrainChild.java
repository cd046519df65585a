package io.holdfast.bench.crash;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.Counts;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.EngineConfig.Durability;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that fills a broker with messages of 1 MiB, or opens it a day later and waits until all
 * that is due by then has happened.
 */
final class DrainChild {
  private static final String QUEUE = "q";
  private static final int PAYLOAD_BYTES = 1 << 20;
  private static final int TOGETHER = 4;
  private static final long HOUR_MS = 3_600_000;
  private static final long POLL_NANOS = 5_000_000;

  /** Messages that have to be dealt with all at once. */
  enum Backlog {
    /** Delayed messages that are due. */
    DUE,
    /** Dead letters, to be requeued. */
    REQUEUED,
    /** Dead letters, to be removed. */
    REMOVED,
    /** Dead letters that are kept no longer. */
    TRIMMED,
    /** Messages that waited longer than the queue allows. */
    TOO_LATE,
    /** Requeued messages in leases that are over. */
    EXPIRED;

    private long left(Counts counts) {
      return switch (this) {
        case DUE -> counts.delayed();
        case REQUEUED, REMOVED, TRIMMED -> counts.dead();
        case TOO_LATE -> counts.waiting();
        case EXPIRED -> counts.inFlight();
      };
    }
  }

  private final Broker broker;
  private final Backlog backlog;

  private DrainChild(Broker broker, Backlog backlog) {
    this.broker = broker;
    this.backlog = backlog;
  }

  /** Arguments: the directory, the backlog, and how many messages to fill in; none to drain. */
  public static void main(String[] arguments) throws InterruptedException {
    boolean fills = arguments.length > 2;
    // A full disk write for each message would only make the test slower.
    Durability durability = fills ? Durability.OS : Durability.FSYNC;
    EngineConfig config = EngineConfig.at(Path.of(arguments[0])).durability(durability);
    Backlog backlog = Backlog.valueOf(arguments[1]);
    TimeSource time = fills ? TimeSource.SYSTEM : new Later();
    try (Broker broker = EmbeddedBroker.open(config, time)) {
      DrainChild child = new DrainChild(broker, backlog);
      if (fills) {
        child.fill(Integer.parseInt(arguments[2]));
      } else {
        child.drain();
      }
    }
    System.out.println("done");
  }

  private void fill(int count) {
    broker
        .configure(
            ConfigureRequest.queue(QUEUE)
                .set(QueueOption.DEAD_RETENTION, backlog == Backlog.TRIMMED ? 3_600L : 0L)
                .set(QueueOption.MAX_WAIT_TIME, backlog == Backlog.TOO_LATE ? 3_600L : 0L))
        .orThrow();
    broker.pop(PopRequest.queue(QUEUE)).orThrow();
    NewMessage message = NewMessage.to(QUEUE, new byte[PAYLOAD_BYTES]);
    NewMessage one = backlog == Backlog.DUE ? message.delayMs(HOUR_MS) : message;
    for (int left = count; left > 0; left -= TOGETHER) {
      broker.push(new PushRequest(Collections.nCopies(TOGETHER, one), null)).orThrow();
      if (backlog != Backlog.DUE && backlog != Backlog.TOO_LATE) {
        killAll(broker.pop(PopRequest.queue(QUEUE).batch(TOGETHER)).orThrow());
      }
    }
    if (backlog == Backlog.EXPIRED) {
      broker.requeue(RequeueRequest.of(DeadLetterFilter.queue(QUEUE))).orThrow();
      PopRequest request = PopRequest.queue(QUEUE).batch(100).leaseMs(HOUR_MS);
      Popped popped = broker.pop(request).orThrow();
      String lease = popped.leaseId();
      while (!popped.isEmpty()) {
        popped = broker.pop(request.joinLease(lease)).orThrow();
      }
    }
  }

  private void killAll(Popped popped) {
    List<Settle> kills =
        popped.messages().stream().map(each -> Settle.kill(each.handle(), "no")).toList();
    broker.settle(new SettleRequest(kills, false)).orThrow();
  }

  private void drain() throws InterruptedException {
    Thread bulk = Thread.ofPlatform().start(this::bulk);
    long left = left();
    while (left > 0) {
      System.out.println("left " + left);
      // Somebody else's messages still get through.
      broker
          .push(new PushRequest(List.of(NewMessage.to("bystander", new byte[100])), null))
          .orThrow();
      LockSupport.parkNanos(POLL_NANOS);
      left = left();
    }
    bulk.join();
  }

  private long left() {
    return backlog.left(broker.queue(QUEUE).orThrow().counts());
  }

  private void bulk() {
    if (backlog == Backlog.REQUEUED) {
      broker.requeue(RequeueRequest.of(DeadLetterFilter.queue(QUEUE))).orThrow();
    } else if (backlog == Backlog.REMOVED) {
      broker.removeDeadLetters(DeadLetterFilter.queue(QUEUE)).orThrow();
    }
  }

  /** The system's clocks, a day ahead. */
  private static final class Later implements TimeSource {
    @Override
    public long wallMs() {
      return SYSTEM.wallMs() + 24 * HOUR_MS;
    }

    @Override
    public long nanos() {
      return SYSTEM.nanos();
    }

    @Override
    public void parkUntil(long deadlineNanos) {
      SYSTEM.parkUntil(deadlineNanos);
    }
  }
}
