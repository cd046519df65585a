package io.holdfast.client.remote;

import io.holdfast.api.Broker;
import io.holdfast.testkit.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Tag;

/** The contract of brokers, kept by one that is asked over a shared connection. */
@Tag("slow")
class FramesContractTest extends RemoteContractTest {
  @Override
  Broker serve(Broker engine, ManualClock time) {
    try {
      TestServer server = TestServer.overFrames(engine);
      return new Served(address(server.port()), server::close);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
