package io.holdfast.server.answers;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.TimeSource;
import io.holdfast.server.Upkeep;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A broker that only notes which checkpoints were asked for. */
final class CheckpointedBroker extends ForwardingBroker implements Upkeep {
  private static final int BYTES = 4_096;

  private final List<Checkpoint> made = new ArrayList<>();
  private final TimeSource time;

  CheckpointedBroker(Broker inner, TimeSource time) {
    super(inner);
    this.time = time;
  }

  @Override
  public synchronized Result<Checkpoint> checkpoint(@Nullable String name) {
    String taken = name == null ? "20260101-000000" : name;
    if (made.stream().anyMatch(one -> one.name().equals(taken))) {
      return Result.refused(ErrorCode.WRONG_STATE, "there is a checkpoint of that name");
    }
    made.add(new Checkpoint(taken, "/data/checkpoints/" + taken, BYTES, time.wallMs()));
    return Result.ok(made.getLast());
  }

  @Override
  public synchronized Result<List<Checkpoint>> checkpoints() {
    return Result.ok(List.copyOf(made));
  }
}
