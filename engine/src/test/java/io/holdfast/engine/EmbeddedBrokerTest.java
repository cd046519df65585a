package io.holdfast.engine;

import io.holdfast.api.Broker;
import io.holdfast.engine.seal.Keys;
import io.holdfast.testkit.BrokerContract;
import io.holdfast.testkit.ManualClock;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract of a broker, on a data directory. */
@Tag("slow")
final class EmbeddedBrokerTest extends BrokerContract {
  private static final Keys KEYS = Keys.of(new byte[32]);

  @TempDir Path directory;
  private int started;
  private @Nullable ManualClock clock;
  private @Nullable Broker broker;

  @Override
  protected Broker start(ManualClock time) {
    started++;
    clock = time;
    return open(time);
  }

  @Override
  protected Broker restart() {
    if (broker == null || clock == null) {
      throw new IllegalStateException("nothing was started");
    }
    broker.close();
    return open(clock);
  }

  private Broker open(ManualClock time) {
    EngineConfig config = EngineConfig.at(directory.resolve("data" + started)).keys(KEYS);
    Broker opened = EmbeddedBroker.open(config, time);
    broker = opened;
    return opened;
  }
}
