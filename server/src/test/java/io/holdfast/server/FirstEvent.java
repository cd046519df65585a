package io.holdfast.server;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Takes what comes first of an answer that has no end, and hangs up. */
final class FirstEvent implements BodySubscriber<String> {
  private final CompletableFuture<String> first = new CompletableFuture<>();
  private @Nullable Subscription subscription;

  @Override
  public CompletionStage<String> getBody() {
    return first;
  }

  @Override
  public void onSubscribe(Subscription begun) {
    subscription = begun;
    begun.request(1);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    StringBuilder text = new StringBuilder();
    buffers.forEach(buffer -> text.append(StandardCharsets.UTF_8.decode(buffer)));
    first.complete(text.toString());
    Subscription open = subscription;
    if (open != null) {
      open.cancel();
    }
  }

  @Override
  public void onError(Throwable failed) {
    first.completeExceptionally(failed);
  }

  @Override
  public void onComplete() {
    first.complete("");
  }
}
