package io.holdfast.peers;

import io.holdfast.bench.peers.Peer;
import io.holdfast.bench.peers.PeerKind;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** NATS JetStream with file storage as it is configured by default: no fsync before an answer. */
public final class NatsKind implements PeerKind {
  @Override
  public String name() {
    return "nats";
  }

  @Override
  public String durability() {
    return "write, no fsync";
  }

  @Override
  public String use() {
    return "nats-server, JetStream, file storage; it syncs every 2 minutes, not before an answer;"
        + NatsServer.USE;
  }

  @Override
  public @Nullable String missing() {
    return NatsServer.missing();
  }

  @Override
  public Peer start(Path directory) throws IOException, InterruptedException {
    return NatsServer.start(name(), directory, "");
  }
}
