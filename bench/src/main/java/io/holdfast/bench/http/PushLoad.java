package io.holdfast.bench.http;

import io.holdfast.api.message.NewMessage;
import io.holdfast.bench.Callers;
import java.util.ArrayList;
import java.util.List;

/** Pushes from a number of callers into one partition that nobody reads. */
public record PushLoad(String name, int callers, int batch) implements Workload {
  @Override
  public String note() {
    return callers + (callers == 1 ? " caller" : " callers") + ", " + batch + " a request";
  }

  @Override
  public Outcome run(Target target) throws InterruptedException {
    Target.Load load = target.start(callers, this::pushes);
    load.callers().await(target.warmUpMs());
    double rate = load.callers().rate(target.measuredMs());
    load.callers().stop();
    load.join();
    long pushed = load.callers().acknowledged();
    return new Outcome(rate, pushed, pushed);
  }

  private Callers.Work pushes(Session session, int caller) {
    long[] next = {0};
    return () -> {
      session.push(name, NewMessage.DEFAULT_PARTITION, payloads(caller, next[0], batch));
      next[0] += batch;
      return batch;
    };
  }

  /** The payloads of a batch, numbered by a source. */
  public static List<byte[]> payloads(int source, long from, int count) {
    List<byte[]> payloads = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      payloads.add(TextPayload.of(source, from + i));
    }
    return payloads;
  }
}
