package io.holdfast.cluster;

import org.junit.jupiter.api.Tag;

/** The contract of a broker, on the leader of a cluster of three. */
@Tag("slow")
final class LeaderContractTest extends SharedLogContract {
  LeaderContractTest() {
    super(true);
  }
}
