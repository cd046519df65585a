package io.holdfast.cluster;

import org.junit.jupiter.api.Tag;

/** The contract of a broker, on a node of a cluster of three that forwards to the leader. */
@Tag("long")
final class FollowerContractTest extends SharedLogContract {
  FollowerContractTest() {
    super(false);
  }
}
