package io.holdfast.bench.flows;

import io.holdfast.api.UnreachableException;
import io.holdfast.client.remote.RemoteBroker;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A worker in a process of its own, which its parent kills. */
final class FlowWorkerChild {
  static final Duration LEASE = Duration.ofSeconds(2);

  private FlowWorkerChild() {}

  /** Takes the address of the server and the ledger; ends when its standard input does. */
  public static void main(String[] args) throws IOException {
    FlowsConfig config = FlowsConfig.defaults().leases(LEASE, LEASE).slots(8, 8);
    try (RemoteBroker broker = RemoteBroker.at(args[0]);
        Flows flows = Flows.on(broker, config).register(Sample.code(Path.of(args[1])))) {
      serve(flows);
      while (System.in.read() >= 0) {
        // The parent lives.
      }
    }
  }

  /** The server may be down just now. */
  private static void serve(Flows flows) {
    while (true) {
      try {
        flows.serve();
        return;
      } catch (UnreachableException down) {
        Thread.onSpinWait();
      }
    }
  }
}
