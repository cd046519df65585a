package io.holdfast.bench.flows.provider;

import org.junit.jupiter.api.Tag;

/** The rules of a broker over HTTP, with two workers whose memory of flows is stale. */
@Tag("slow")
class RemoteTwoWorkersTest extends RemoteProviderTest {
  @Override
  boolean isAlternating() {
    return true;
  }
}
