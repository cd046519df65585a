package io.holdfast.client.tasks;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.RefusedException;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.MessageDetail.GroupView;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.task.StartRequest;
import io.holdfast.api.task.TaskInfo;
import io.holdfast.api.task.TaskStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Turns acks into what the broker knows: Running starts a leased task, Complete acks it, Failed
 * nacks it.
 *
 * <p>The lease decides who may speak for a task, so that acks need no order here: of two that
 * contradict each other the broker applies the first and refuses the second.
 *
 * <p>Thread: any; it holds no lock while it asks the broker.
 */
final class AckIntake implements AckSink {
  /** A Running renews the ack timeout once this part of it is gone; sooner is not worth a call. */
  private static final int RENEW_PART = 10;

  private final Broker broker;
  private final TaskBrokerConfig config;
  private final TimeSource time;
  private final Holds holds;
  private final LostHolds lost;
  private final TaskCounters counters;
  private final TaskLog log;
  private final List<AckListener> listeners = new CopyOnWriteArrayList<>();

  AckIntake(
      Broker broker,
      TaskBrokerConfig config,
      TimeSource time,
      Holds holds,
      LostHolds lost,
      TaskCounters counters,
      TaskLog log) {
    this.broker = broker;
    this.config = config;
    this.time = time;
    this.holds = holds;
    this.lost = lost;
    this.counters = counters;
    this.log = log;
  }

  void listen(AckListener listener) {
    listeners.add(listener);
  }

  void unlisten(AckListener listener) {
    listeners.remove(listener);
  }

  @Override
  public AckVerdict send(TaskAck ack) {
    Hold hold = holds.find(ack.taskId(), ack.deviceId());
    if (hold != null) {
      return send(hold, ack);
    }
    LostHolds.Answer answer = lost.find(ack);
    if (answer.hold() != null) {
      holds.add(answer.hold());
      return send(answer.hold(), ack);
    }
    return notHeld(ack, answer.verdict(), answer.status());
  }

  /** Applies an ack to the delivery it is about. */
  AckVerdict send(Hold hold, TaskAck ack) {
    return ack.status() == TaskStatus.RUNNING ? running(hold, ack) : settled(hold, ack);
  }

  private AckVerdict running(Hold hold, TaskAck ack) {
    if (!hold.begin()) {
      if (hold.isOver() || !renewed(hold)) {
        return overtaken(hold, ack);
      }
      return tell(new AckEvent(ack, AckVerdict.REPEATED, TaskStatus.RUNNING, ack.status(), null));
    }
    Result<TaskInfo> started;
    try {
      started = broker.start(new StartRequest(hold.handle(), ack.deviceId()));
    } catch (UnreachableException unheard) {
      hold.unbegin();
      throw unheard;
    }
    if (!started.isOk()) {
      ErrorCode code = started.refusal().code();
      if (code == ErrorCode.STALE_LEASE) {
        return overtaken(hold, ack);
      }
      // A dead task that was requeued after its state was forgotten is held, but not tracked.
      if (code != ErrorCode.NOT_FOUND) {
        hold.unbegin();
        throw new RefusedException(started.refusal());
      }
    }
    if (!renewed(hold)) {
      return overtaken(hold, ack);
    }
    return applied(hold, ack, TaskStatus.RECEIVED, ack.status(), null);
  }

  /** Gives the device its whole ack timeout again; false if the task is not its any more. */
  private boolean renewed(Hold hold) {
    long now = time.nanos();
    if (now - hold.renewedNanos() < config.ackTimeout().toNanos() / RENEW_PART) {
      return true;
    }
    Result<?> extended =
        broker.extend(ExtendRequest.of(hold.handle().leaseId(), config.ackTimeout().toMillis()));
    if (extended.isOk()) {
      hold.renewed(now);
      return true;
    }
    if (extended.refusal().code() == ErrorCode.STALE_LEASE) {
      return false;
    }
    throw new RefusedException(extended.refusal());
  }

  private AckVerdict settled(Hold hold, TaskAck ack) {
    TaskStatus before = hold.status();
    Settle settle =
        ack.status() == TaskStatus.COMPLETE
            ? Settle.ack(hold.handle())
            : Settle.nack(hold.handle(), ack.error());
    SettleVerdict verdict = settle(settle);
    return switch (verdict.status()) {
      case ACKED -> {
        counters.ended(verdict.failures());
        yield applied(hold, ack, before, TaskStatus.COMPLETE, null);
      }
      case RETRYING -> {
        Duration wait = config.retry().backoff(verdict.failures());
        AckVerdict applied = applied(hold, ack, before, TaskStatus.FAILED, wait);
        log.retrying(ack.taskId(), verdict.failures(), config.retry().maxRetries(), wait);
        yield applied;
      }
      case DEAD, DROPPED -> {
        counters.ended(verdict.failures() - 1);
        AckVerdict applied = applied(hold, ack, before, TaskStatus.DEAD, null);
        if (verdict.status() == SettleVerdict.Status.DEAD) {
          log.dead(hold, ack, verdict.failures(), errors(hold, ack));
        } else {
          log.dropped(hold, ack, verdict.failures());
        }
        yield applied;
      }
      default -> overtaken(hold, ack);
    };
  }

  private SettleVerdict settle(Settle settle) {
    return broker.settle(SettleRequest.of(settle)).orThrow().verdicts().get(0);
  }

  /** Gives a task back, uncharged, after a while; whether it was still held. */
  boolean release(Hold hold, Duration delay) {
    SettleVerdict verdict = settle(Settle.release(hold.handle()).delayMs(delay.toMillis()));
    holds.end(hold);
    return verdict.applied();
  }

  private List<String> errors(Hold hold, TaskAck ack) {
    String last = Texts.oneLine(ack.error());
    try {
      return broker
          .message(MessageRef.id(hold.messageId()))
          .map(
              detail ->
                  detail.groups().stream()
                      .filter(view -> view.group().equals(hold.subscriber()))
                      .map(GroupView::attempts)
                      .flatMap(List<Attempt>::stream)
                      .map(attempt -> Texts.oneLine(DeadTasks.error(attempt)))
                      .toList())
          .orThrow();
    } catch (UnreachableException | RefusedException noAnswer) {
      // It is only for the log: what this ack said will have to do.
      return List.of(last);
    }
  }

  private AckVerdict applied(
      Hold hold, TaskAck ack, TaskStatus before, TaskStatus after, @Nullable Duration nextRetry) {
    if (after != TaskStatus.RUNNING) {
      holds.end(hold);
    }
    if (before == TaskStatus.RECEIVED && hold.attempt() == 1) {
      counters.firstAck(Math.max(0, time.wallMs() - hold.publishedMs()));
    }
    log.acked(ack, before);
    return tell(new AckEvent(ack, AckVerdict.APPLIED, before, after, nextRetry));
  }

  /** The broker says that this delivery is over: somebody was faster, or the time ran out. */
  private AckVerdict overtaken(Hold hold, TaskAck ack) {
    holds.end(hold);
    TaskStatus now = lost.status(hold.messageId(), hold.subscriber());
    return notHeld(ack, LostHolds.verdict(ack, now), now);
  }

  private AckVerdict notHeld(TaskAck ack, AckVerdict verdict, @Nullable TaskStatus now) {
    switch (verdict) {
      case UNKNOWN -> log.unknown(ack);
      case IGNORED -> log.ignored(ack, now);
      case APPLIED, REPEATED -> {}
    }
    return tell(new AckEvent(ack, verdict, now, now, null));
  }

  private AckVerdict tell(AckEvent event) {
    counters.acked(event.ack().status(), event.verdict());
    for (AckListener listener : listeners) {
      try {
        listener.onAck(event);
      } catch (RuntimeException failed) {
        log.listenerFailed(failed);
      }
    }
    return event.verdict();
  }
}
