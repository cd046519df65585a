package io.holdfast.bench.flows.provider;

import io.holdfast.api.Broker;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import org.junit.jupiter.api.Tag;

/** The rules, kept by a broker in the same process. */
@Tag("slow")
class EmbeddedProviderTest extends ProviderContract {
  @Override
  Broker start(ManualClock clock) {
    return EmbeddedBroker.open(EngineConfig.inMemory(), clock);
  }
}
