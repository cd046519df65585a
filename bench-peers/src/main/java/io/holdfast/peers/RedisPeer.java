package io.holdfast.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.bench.CheckFailedException;
import io.holdfast.bench.ChildProcess;
import io.holdfast.bench.http.Session;
import io.holdfast.bench.peers.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.Response;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.params.XAddParams;
import redis.clients.jedis.params.XReadGroupParams;
import redis.clients.jedis.resps.StreamEntryBinary;
import redis.clients.jedis.resps.StreamGroupInfo;

/** A running Redis: each queue is a stream with one consumer group. */
record RedisPeer(ChildProcess process, RedisClient client) implements Peer {
  private static final String GROUP = "bench";
  private static final byte[] FIELD = {'b'};

  @Override
  public Session session() {
    return new Caller();
  }

  @Override
  public void createQueue(String queue) {
    client.xgroupCreate(queue, GROUP, new StreamEntryID(0, 0), true);
  }

  @Override
  public void deleteQueue(String queue) {
    client.unlink(queue);
  }

  @Override
  public long unacked(String queue) {
    StreamGroupInfo group = client.xinfoGroups(queue).getFirst();
    if (group.getGroupInfo().get("lag") instanceof Long lag) {
      return group.getPending() + lag;
    }
    throw new CheckFailedException("XINFO GROUPS has no lag: Redis 7 or newer is needed");
  }

  @Override
  public void close() {
    try (process) {
      client.close();
    }
  }

  /** All callers share the pool of connections. */
  private final class Caller implements Session {
    private final byte[] consumer = ("consumer-" + System.identityHashCode(this)).getBytes(UTF_8);

    @Override
    public void push(String queue, String partition, List<byte[]> payloads) {
      byte[] key = queue.getBytes(UTF_8);
      if (payloads.size() == 1) {
        client.xadd(key, XAddParams.xAddParams(), Map.of(FIELD, payloads.getFirst()));
        return;
      }
      List<Response<byte[]>> answers = new ArrayList<>(payloads.size());
      try (Pipeline pipeline = client.pipelined()) {
        for (byte[] payload : payloads) {
          answers.add(pipeline.xadd(key, XAddParams.xAddParams(), Map.of(FIELD, payload)));
        }
        pipeline.sync();
      }
      // Throws what the server refused.
      answers.forEach(Response::get);
    }

    @Override
    public Got pop(String queue, int batch, long waitMs) {
      XReadGroupParams params = XReadGroupParams.xReadGroupParams().count(batch);
      if (waitMs > 0) {
        params.block((int) waitMs);
      }
      List<Map.Entry<byte[], List<StreamEntryBinary>>> streams =
          client.xreadGroupBinary(
              GROUP.getBytes(UTF_8),
              consumer,
              params,
              Map.of(queue.getBytes(UTF_8), StreamEntryID.XREADGROUP_UNDELIVERED_ENTRY));
      if (streams == null || streams.isEmpty()) {
        return Got.NOTHING;
      }
      List<Held> held = new ArrayList<>(batch);
      for (StreamEntryBinary entry : streams.getFirst().getValue()) {
        byte[] payload = entry.getFields().values().iterator().next();
        held.add(Held.of(entry.getID(), payload));
      }
      return new Got(queue, held);
    }

    @Override
    public void ack(Got got) {
      StreamEntryID[] ids = got.messages().stream().map(Held::ack).toArray(StreamEntryID[]::new);
      CheckFailedException.expectEqual(
          "messages acked", ids.length, client.xack(String.valueOf(got.lease()), GROUP, ids));
    }

    @Override
    public void close() {
      // The pool is the peer's.
    }
  }
}
