package io.holdfast.workflow.rules;

import io.holdfast.api.TimeSource;
import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Flow;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Payloads;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.replay.Code;
import io.holdfast.workflow.replay.Execution;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A program that evicts a flow which waits, on a virtual thread as workers do, and says whether it
 * is gone and what it did.
 */
final class EvictionProbe {
  private static final int TRIES = 100;

  private EvictionProbe() {}

  /** Something that only the waiting code knows. */
  private static final class Held {}

  private static WeakReference<Held> evicted() {
    AtomicReference<@Nullable Held> held = new AtomicReference<>(new Held());
    WeakReference<Held> watched = new WeakReference<>(held.get());
    Orchestration<String, String> waits =
        Orchestration.named(
            "waits",
            String.class,
            String.class,
            (flow, text) -> {
              Held mine = held.getAndSet(null);
              try {
                return flow.event("never", String.class).await() + (mine == null);
              } finally {
                System.out.println("FINALLY");
                for (Runnable use : uses(flow)) {
                  try {
                    use.run();
                  } catch (RuntimeException | Error refused) {
                    System.out.println("REFUSED");
                  }
                }
              }
            });
    byte[] input = "\"\"".getBytes(StandardCharsets.UTF_8);
    Event.Started started = new Event.Started(0, "waits", "1.0", input, null, List.of());
    Execution execution =
        Execution.begin(
            new ExecutionId("f", "i", 1),
            started,
            new Code(waits, Payloads.json(), TimeSource.SYSTEM));
    execution.advance(List.of());
    execution.giveUp();
    return watched;
  }

  /** Each way in which code could go on. */
  private static List<Runnable> uses(Flow flow) {
    Activity<Integer, Integer> work = Activity.named("work", Integer.class, Integer.class, n -> n);
    return List.of(
        () -> flow.run("step", () -> System.out.println("STEP")),
        () -> System.out.println("CALLED " + flow.call(work, 1).await()),
        () -> {
          flow.timer(Duration.ofMillis(1)).await();
          System.out.println("SLEPT");
        },
        () -> System.out.println("TOOK " + flow.event("never", String.class).await()),
        () -> System.out.println("UUID " + flow.uuid()),
        () -> System.out.println("NEW " + flow.continueAsNew("x")));
  }

  private static long collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }

  public static void main(String[] args) throws InterruptedException {
    if (args.length > 0) {
      // As if a library had started a virtual thread before the property was set.
      Thread.ofVirtual().start(() -> {}).join();
      System.setProperty("jdk.trackAllThreads", "false");
    }
    long before = collections();
    AtomicReference<WeakReference<Held>> evicted = new AtomicReference<>();
    Thread.ofVirtual().start(() -> evicted.set(evicted())).join();
    System.out.println("COLLECTIONS " + (collections() - before));
    WeakReference<Held> watched = evicted.get();
    for (int i = 0; i < TRIES && watched.get() != null; i++) {
      System.gc();
      Thread.sleep(10);
    }
    System.out.println(watched.get() == null ? "GONE" : "STILL THERE");
  }
}
