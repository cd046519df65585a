package io.holdfast.workflow.replay;

import io.holdfast.api.TimeSource;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Payloads;

/** What an execution is run with. */
public record Code(Orchestration<?, ?> orchestration, Payloads payloads, TimeSource time) {}
