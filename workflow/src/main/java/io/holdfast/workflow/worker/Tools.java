package io.holdfast.workflow.worker;

import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.FlowsListener;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.replay.Code;
import io.holdfast.workflow.store.FlowStore;

/** What those who take turns and work share. */
record Tools(
    FlowStore store, Registry registry, FlowsConfig config, Sticky sticky, FlowsListener listener) {
  Code code(Orchestration<?, ?> flow) {
    return new Code(flow, config.payloads(), config.time());
  }

  long nowMs() {
    return config.time().wallMs();
  }
}
