package io.holdfast.peers;

import io.holdfast.bench.ChildProcess;
import io.holdfast.bench.peers.Peer;
import io.holdfast.bench.peers.PeerKind;
import io.holdfast.bench.peers.PeerPrograms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;

/** Redis streams with an fsync before each answer, through Jedis. */
public final class RedisKind implements PeerKind {
  private static final int CONNECTIONS_MAX = 128;
  private static final int TIMEOUT_MS = 30_000;

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public String durability() {
    return "fsync";
  }

  @Override
  public String use() {
    return "redis-server with appendfsync always; Jedis, a pool of connections: XADD (pipelines for"
        + " batches), XREADGROUP, XACK; acked entries stay in the stream";
  }

  @Override
  public @Nullable String missing() {
    return PeerPrograms.find("redis-server") == null
        ? "redis-server is not installed (apt-get install redis-server)"
        : null;
  }

  @Override
  public Peer start(Path directory) throws IOException, InterruptedException {
    int port = PeerPrograms.freePort();
    List<String> command =
        List.of(
            String.valueOf(PeerPrograms.find("redis-server")),
            "--bind",
            "127.0.0.1",
            "--port",
            Integer.toString(port),
            "--dir",
            directory.toString(),
            "--save",
            "",
            "--appendonly",
            "yes",
            "--appendfsync",
            "always");
    ChildProcess server =
        ChildProcess.start(
            name(), new ProcessBuilder(command), directory.resolve("redis-server.log"));
    RedisClient client = PeerPrograms.connect(server, () -> connect(port));
    return new RedisPeer(server, client);
  }

  private static RedisClient connect(int port) {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(CONNECTIONS_MAX);
    pool.setMaxIdle(CONNECTIONS_MAX);
    RedisClient client =
        RedisClient.builder()
            .hostAndPort("127.0.0.1", port)
            .clientConfig(DefaultJedisClientConfig.builder().timeoutMillis(TIMEOUT_MS).build())
            .poolConfig(pool)
            .build();
    try {
      client.ping();
      return client;
    } catch (RuntimeException notYet) {
      client.close();
      throw notYet;
    }
  }
}
