package io.holdfast.cluster.peer;

import io.holdfast.api.Broker;
import io.holdfast.engine.command.LogPosition;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** The node whose parts a {@link PeerServer} offers to other nodes. */
public interface PeerHost {
  /** The broker of this node itself, which refuses calls unless it leads. */
  Broker broker();

  NodeStatus status();

  /** Carries out an operation; fails if this node does not lead. */
  CompletableFuture<Void> change(MemberChange change);

  /** Copies the data into a new directory. */
  LogPosition checkpoint(Path directory);
}
