package io.holdfast.workflow.test;

import io.holdfast.api.Broker;
import io.holdfast.workflow.FlowInfo;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.history.Describe;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.History;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Keys;
import java.util.Map;
import java.util.Optional;

/** Says why a flow does not go on. */
final class Stuck {
  private Stuck() {}

  static String describe(Flows flows, Broker broker, String prefix, String id) {
    Optional<FlowInfo> found = flows.find(id);
    if (found.isEmpty()) {
      return "There is no flow " + id + ", and nothing more happens by itself.";
    }
    FlowInfo flow = found.get();
    StringBuilder text = new StringBuilder("Flow ").append(id).append(" (").append(flow.name());
    text.append(") is ").append(flow.status()).append(", and nothing more happens by itself.");
    if (flow.reason() != null) {
      text.append("\n").append(flow.reason());
    }
    if (flow.execution() > 0) {
      FlowStore store = new FlowStore(broker, new Keys(prefix));
      History history = History.of(store.events(id, flow.execution()));
      for (Map.Entry<Long, Event> open : history.open().entrySet()) {
        text.append("\nIt waits for task ")
            .append(open.getKey())
            .append(": ")
            .append(Describe.event(open.getValue()));
      }
    }
    return text.toString();
  }
}
