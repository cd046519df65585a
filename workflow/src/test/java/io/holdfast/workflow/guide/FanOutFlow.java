package io.holdfast.workflow.guide;

import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Retry;
import io.holdfast.workflow.Task;
import io.holdfast.workflow.TaskFailed;
import io.holdfast.workflow.TypeRef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Many activities side by side, and one result of them all. */
final class FanOutFlow {
  static final Activity<String, Integer> RESIZE =
      Activity.named("resize", String.class, Integer.class, String::length);

  static final Orchestration<List<String>, Integer> ALBUM =
      Orchestration.named(
          "album",
          "1.0",
          new TypeRef<List<String>>() {},
          new TypeRef<Integer>() {},
          (flow, pictures) -> {
            List<Task<Integer>> tasks =
                pictures.stream().map(picture -> flow.call(RESIZE, picture)).toList();
            return flow.<Integer>all(tasks).await().stream().mapToInt(bytes -> bytes).sum();
          });

  /** At most so many at a time. */
  private static final int WIDTH = 3;

  static final Orchestration<List<String>, List<String>> ARCHIVE =
      Orchestration.named(
          "archive",
          "1.0",
          new TypeRef<List<String>>() {},
          new TypeRef<List<String>>() {},
          (flow, pictures) -> {
            Deque<String> waiting = new ArrayDeque<>(pictures);
            List<Task<Integer>> running = new ArrayList<>();
            List<String> failed = new ArrayList<>();
            while (!waiting.isEmpty() || !running.isEmpty()) {
              while (!waiting.isEmpty() && running.size() < WIDTH) {
                running.add(flow.call(RESIZE, waiting.poll(), Retry.times(2)));
              }
              Task<Integer> next = flow.<Integer>any(running).await();
              running.remove(next);
              try {
                next.await();
              } catch (TaskFailed failure) {
                failed.add(failure.failure().message());
              }
            }
            return failed;
          });

  private FanOutFlow() {}
}
