package io.holdfast.engine;

import io.holdfast.api.Broker;
import io.holdfast.engine.seal.Keys;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.testkit.BrokerContract;
import io.holdfast.testkit.ManualClock;
import org.jspecify.annotations.Nullable;

/** The contract of a broker, on rows in memory. */
final class InMemoryBrokerTest extends BrokerContract {
  private static final Keys KEYS = Keys.of(new byte[32]);

  private @Nullable MemoryStore store;
  private @Nullable ManualClock clock;
  private @Nullable Broker broker;

  @Override
  protected Broker start(ManualClock time) {
    clock = time;
    return open(new MemoryStore(), time);
  }

  @Override
  protected Broker restart() {
    if (broker == null || clock == null || store == null) {
      throw new IllegalStateException("nothing was started");
    }
    broker.close();
    return open(store.reopen(), clock);
  }

  private Broker open(MemoryStore rows, ManualClock time) {
    store = rows;
    Broker opened = EmbeddedBroker.open(EngineConfig.inMemory().keys(KEYS), time, rows);
    broker = opened;
    return opened;
  }
}
