package io.holdfast.peers;

import io.holdfast.bench.peers.Peer;
import io.holdfast.bench.peers.PeerKind;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** NATS JetStream with file storage and an fsync before each answer. */
public final class NatsSyncKind implements PeerKind {
  @Override
  public String name() {
    return "nats-sync";
  }

  @Override
  public String durability() {
    return "fsync";
  }

  @Override
  public String use() {
    return "nats-server, JetStream, file storage with sync_interval: always;" + NatsServer.USE;
  }

  @Override
  public @Nullable String missing() {
    String absent = NatsServer.missing();
    return absent != null ? absent : NatsServer.refusal(NatsServer.SYNC_ALWAYS);
  }

  @Override
  public Peer start(Path directory) throws IOException, InterruptedException {
    return NatsServer.start(name(), directory, NatsServer.SYNC_ALWAYS);
  }
}
