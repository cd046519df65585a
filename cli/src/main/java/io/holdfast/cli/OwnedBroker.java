package io.holdfast.cli;

import io.holdfast.api.ForwardingAsyncBroker;
import io.holdfast.api.Result;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.server.Upkeep;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The broker of {@code serve}: its verbs, and what only the owner of its data can do. */
final class OwnedBroker extends ForwardingAsyncBroker implements Upkeep {
  private final Checkpoints checkpoints;

  OwnedBroker(EmbeddedBroker broker, Path checkpoints) {
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
