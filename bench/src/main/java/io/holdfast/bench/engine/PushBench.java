package io.holdfast.bench.engine;

import io.holdfast.api.message.NewMessage;
import io.holdfast.bench.Callers;
import io.holdfast.bench.CheckFailedException;
import io.holdfast.engine.EmbeddedBroker;

/** Pushes from a number of callers into one partition that nobody reads. */
final class PushBench implements EngineBench {
  private final String name;
  private final int callers;
  private final int batch;
  private final boolean named;

  PushBench(String name, int callers, int batch, boolean named) {
    this.name = name;
    this.callers = callers;
    this.batch = batch;
    this.named = named;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Measured run(Setting setting) throws InterruptedException {
    try (EmbeddedBroker broker = setting.open(name, "ordered")) {
      Callers load = Callers.start(callers, caller -> pushes(broker, caller));
      load.await(setting.warmUpMs());
      double rate = load.rate(setting.measuredMs());
      load.stop();
      load.join();
      CheckFailedException.expectEqual(
          "messages stored by " + name,
          load.acknowledged(),
          broker.queue(Setting.QUEUE).orThrow().counts().stored());
      return Measured.messages(rate, callers + (callers == 1 ? " caller" : " callers"));
    }
  }

  private Callers.Work pushes(EmbeddedBroker broker, int caller) {
    Producer producer = new Producer(broker, batch, named);
    long[] next = {0};
    return () -> {
      long pushed = producer.push(NewMessage.DEFAULT_PARTITION, caller, next[0]);
      next[0] += pushed;
      return pushed;
    };
  }
}
