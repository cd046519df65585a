package io.holdfast.bench.flows.provider;

import org.junit.jupiter.api.Tag;

/** The rules of a broker in the same process, with two workers whose memory of flows is stale. */
@Tag("slow")
class EmbeddedTwoWorkersTest extends EmbeddedProviderTest {
  @Override
  boolean isAlternating() {
    return true;
  }
}
