package io.holdfast.bench.http;

import io.holdfast.api.Result;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.bench.Callers;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Single pushes from one thread that does not wait for answers: so many are in flight at a time.
 *
 * @param push sends a request; what it returns completes with the answer
 */
public record AsyncPushLoad(
    String name,
    int inFlight,
    Function<PushRequest, ? extends CompletionStage<Result<Pushed>>> push)
    implements Workload {
  @Override
  public String note() {
    return "one thread, single pushes, in flight: " + inFlight;
  }

  /** Opens no session: the requests go where {@link #push} sends them. */
  @Override
  public Outcome run(Target target) throws InterruptedException {
    Sender sender = new Sender();
    Callers callers = Callers.start(Thread.ofPlatform().daemon(), 1, caller -> sender::send);
    callers.await(target.warmUpMs());
    long before = sender.answered.sum();
    long start = System.nanoTime();
    callers.await(target.measuredMs());
    double rate = Callers.perSecond(sender.answered.sum() - before, System.nanoTime() - start);
    callers.stop();
    callers.join();
    sender.permits.acquire(inFlight);
    sender.check();
    long pushed = sender.answered.sum();
    return new Outcome(rate, pushed, pushed);
  }

  private final class Sender {
    final Semaphore permits = new Semaphore(inFlight);
    final LongAdder answered = new LongAdder();
    final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    long next;

    long send() throws InterruptedException {
      permits.acquire();
      check();
      PushRequest request = PushRequest.of(List.of(NewMessage.to(name, TextPayload.of(0, next++))));
      push.apply(request)
          .thenApply(Result::orThrow)
          .whenComplete(
              (answer, thrown) -> {
                if (thrown == null) {
                  answered.increment();
                } else {
                  failure.compareAndSet(null, thrown);
                }
                permits.release();
              });
      return 1;
    }

    void check() {
      Throwable thrown = failure.get();
      if (thrown != null) {
        throw new IllegalStateException("a push failed: " + thrown, thrown);
      }
    }
  }
}
