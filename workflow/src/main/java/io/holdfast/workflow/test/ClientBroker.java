package io.holdfast.workflow.test;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.Settled;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The broker as a test sees it: who waits here lets time pass.
 *
 * <p>Thread: any.
 */
final class ClientBroker extends ForwardingBroker {
  private final Stage stage;
  private final AtomicLong calls = new AtomicLong();
  private final AtomicInteger underWay = new AtomicInteger();

  ClientBroker(Broker target, Stage stage) {
    super(target);
    this.stage = stage;
  }

  /** How many calls there have been that change something. */
  long calls() {
    return calls.get();
  }

  int underWay() {
    return underWay.get();
  }

  private <T> T change(Supplier<T> call) {
    calls.incrementAndGet();
    underWay.incrementAndGet();
    try {
      return call.get();
    } finally {
      underWay.decrementAndGet();
    }
  }

  @Override
  public Result<Pushed> push(PushRequest request) {
    return change(() -> super.push(request));
  }

  @Override
  public Result<Settled> settle(SettleRequest request) {
    return change(() -> super.settle(request));
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    return change(() -> super.commit(request));
  }

  @Override
  public Result<StoredRecord> record(RecordRequest request) {
    RecordRequest now = RecordRequest.of(request.key());
    if (request.newerThan() < 0 || request.waitMs() == 0) {
      return super.record(now);
    }
    Supplier<@Nullable Result<StoredRecord>> newer =
        () -> {
          Result<StoredRecord> read = super.record(now);
          return read.isOk() && read.orThrow().version() <= request.newerThan() ? null : read;
        };
    Result<StoredRecord> seen = stage.await(newer, stage.nowMs() + request.waitMs());
    return seen == null ? super.record(now) : seen;
  }

  @Override
  public Result<Popped> pop(PopRequest request) {
    Result<Popped> first = change(() -> super.pop(request.waitMs(0)));
    if (request.waitMs() == 0 || !first.isOk() || !first.orThrow().messages().isEmpty()) {
      return first;
    }
    PopRequest again = request.waitMs(0).settles(List.of());
    Supplier<@Nullable Result<Popped>> something =
        () -> {
          Result<Popped> popped = super.pop(again);
          return popped.isOk() && popped.orThrow().messages().isEmpty() ? null : popped;
        };
    Result<Popped> seen = stage.await(something, stage.nowMs() + request.waitMs());
    return seen == null ? first : seen.map(popped -> with(popped, first.orThrow().settled()));
  }

  /** What came with the pop was settled by its first try. */
  private static Popped with(Popped popped, List<SettleVerdict> settled) {
    return new Popped(
        popped.messages(),
        popped.leaseId(),
        popped.leaseUntilMs(),
        popped.reason(),
        popped.retryAtMs(),
        settled);
  }
}
