package io.holdfast.cli.serve;

import io.holdfast.api.ForwardingAsyncBroker;
import io.holdfast.api.Result;
import io.holdfast.cli.store.Checkpoints;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.server.Upkeep;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A broker that can create checkpoints of its data. */
final class CheckpointingBroker extends ForwardingAsyncBroker implements Upkeep {
  private final Checkpoints checkpoints;

  CheckpointingBroker(EmbeddedBroker broker, Path checkpoints) {
    super(broker);
    this.checkpoints = new Checkpoints(checkpoints, broker::checkpoint, Clock.systemUTC());
  }

  @Override
  public Result<Checkpoint> checkpoint(@Nullable String name) {
    return checkpoints.make(name);
  }

  @Override
  public Result<List<Checkpoint>> checkpoints() {
    return checkpoints.list();
  }
}
