package io.holdfast.server.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.server.ServerFixture;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The server tells what it is; its owner tells how it was set up, and of the disk. */
class SystemRouteTest extends ServerFixture {
  private record FixedDisk(long usedBytes, long freeBytes, long totalBytes) implements Disk {}

  private void serve(Disk disk) {
    server.close();
    broker = EmbeddedBroker.open(EngineConfig.at(temp.resolve("data")), clock);
    server =
        HoldfastServer.start(
            ServerConfig.defaults().port(0),
            broker,
            clock,
            new About(disk, Map.of("retainedBytesMax", 5L, "durability", "fsync", "tls", false)));
  }

  @Test
  void shouldTellWhatItIsAndHowItWasSetUp() {
    // given
    serve(new FixedDisk(10, 50L << 30, 100L << 30));
    advanceSeconds(90);
    // when
    Reply system = get("/api/v1/system").expect(200);
    // then
    assertThat(system.text("/version")).isNotBlank();
    assertThat(system.number("/uptimeSeconds")).isEqualTo(90);
    assertThat(system.text("/durability")).isEqualTo("fsync");
    assertThat(system.text("/java/version")).isEqualTo(System.getProperty("java.version"));
    assertThat(system.number("/os/processors")).isPositive();
    assertThat(system.number("/settings/retainedBytesMax")).isEqualTo(5);
    assertThat(system.json().at("/settings/tls").isBoolean()).isTrue();
    assertThat(system.number("/limits/rowsPerPage")).isEqualTo(1_000);
    assertThat(system.text("/links/metrics")).isEqualTo("/metrics");
  }

  @Test
  void shouldTellOfTheDiskAndWarnWhenItIsFull() {
    // given
    serve(new FixedDisk(10, 4L << 30, 100L << 30));
    // when
    Reply now = get("/api/v1/status/now").expect(200);
    // then
    assertThat(now.number("/store/diskBytes")).isEqualTo(10);
    assertThat(now.number("/store/diskFreeBytes")).isEqualTo(4L << 30);
    assertThat(now.text("/attention/0/kind")).isEqualTo("diskLow");
    assertThat(now.text("/attention/0/text"))
        .isEqualTo("Only 4096 MiB are left on the disk of the data.");
  }

  @Test
  void shouldNotGuessWhatNobodyTold() {
    Reply now = get("/api/v1/status/now").expect(200);
    assertThat(now.json().at("/store/diskBytes").isNull()).isTrue();
    assertThat(now.json().at("/attention").isEmpty()).isTrue();
    assertThat(get("/api/v1/system").expect(200).json().at("/settings").isEmpty()).isTrue();
  }

  @Test
  void shouldListTheLeasesOfAQueue() {
    // given
    post("/api/v1/push", "{'items':[{'queue':'q','payload':1},{'queue':'q','payload':2}]}")
        .expect(201);
    Reply popped = get("/api/v1/pop/queue/q?batch=2&worker=w1&consumerGroup=g").expect(200);
    // when
    Reply leases = get("/api/v1/resources/queues/q/leases?group=g").expect(200);
    // then
    assertThat(leases.json().at("/leases").size()).isEqualTo(1);
    assertThat(leases.text("/leases/0/leaseId")).isEqualTo(popped.text("/leaseId"));
    assertThat(leases.text("/leases/0/group")).isEqualTo("g");
    assertThat(leases.text("/leases/0/worker")).isEqualTo("w1");
    assertThat(leases.text("/leases/0/partition")).isEqualTo("Default");
    assertThat(leases.text("/leases/0/until")).isEqualTo("2026-01-01T00:05:00.000Z");
    assertThat(leases.number("/leases/0/open")).isEqualTo(2);
    assertThat(leases.json().at("/next").isNull()).isTrue();
    assertThat(
            get("/api/v1/resources/queues/q/leases?group=other")
                .expect(200)
                .json()
                .at("/leases")
                .isEmpty())
        .isTrue();
    get("/api/v1/resources/queues/none/leases").expect(404);
    get("/api/v1/resources/queues/q/leases?after=x").expect(400);
  }
}
