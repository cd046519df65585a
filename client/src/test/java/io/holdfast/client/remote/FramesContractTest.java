package io.holdfast.client.remote;

import io.holdfast.api.Broker;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import io.holdfast.testkit.ManualClock;
import org.junit.jupiter.api.Tag;

/** The contract of brokers, kept by one that is asked over a shared connection. */
@Tag("slow")
class FramesContractTest extends RemoteContractTest {
  @Override
  Broker serve(Broker engine, ManualClock time) {
    HoldfastServer server = HoldfastServer.start(ServerConfig.defaults().port(0), engine, time);
    return new Served(address(server.port()), server::close);
  }
}
