package io.holdfast.client.acks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A listener that remembers what it was told. */
final class Heard implements AckListener {
  final List<AckResult> settled = new CopyOnWriteArrayList<>();
  final List<Throwable> errors = new CopyOnWriteArrayList<>();
  final List<AckResult> cleared = new CopyOnWriteArrayList<>();
  final List<RuntimeException> failedPolls = new CopyOnWriteArrayList<>();
  final List<Duration> pauses = new CopyOnWriteArrayList<>();
  final List<String> events = new CopyOnWriteArrayList<>();
  volatile Consumer<String> atReconnect = subId -> {};

  @Override
  public void settled(AckResult result) {
    settled.add(result);
  }

  @Override
  public void handlerFailed(QueueMessage message, Throwable error) {
    errors.add(error);
  }

  @Override
  public void pollFailed(String subId, RuntimeException error, Duration pause) {
    pauses.add(pause);
    failedPolls.add(error);
  }

  @Override
  public void disconnected(String subId, AckResult dropped) {
    events.add("disconnected " + subId);
    cleared.add(dropped);
  }

  @Override
  public void reconnected(String subId) {
    atReconnect.accept(subId);
    events.add("reconnected " + subId);
  }
}
