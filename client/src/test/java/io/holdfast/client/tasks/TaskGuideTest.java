package io.holdfast.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.task.TaskStatus;
import io.holdfast.client.tasks.guide.Irrigation;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The guide shows the example that is compiled, and tells of what there is. */
class TaskGuideTest {
  private static final Path GUIDE = Path.of("..", "docs", "client-tasks.md");
  private static final Path SOURCE =
      Path.of(
          "src", "test", "java", "io", "holdfast", "client", "tasks", "guide", "Irrigation.java");
  private static final String FENCE = "```java\n";

  @Test
  void shouldShowTheCompiledExample() throws IOException {
    // given
    String source = Files.readString(SOURCE);
    String guide = Files.readString(GUIDE);
    // when
    int begin = guide.indexOf(FENCE) + FENCE.length();
    String shown = guide.substring(begin, guide.indexOf("```", begin));
    // then
    assertThat(shown).isEqualTo(source.substring(source.indexOf("public final class")));
  }

  @Test
  void shouldNameEveryMeter() throws IOException {
    // given
    String guide = Files.readString(GUIDE);
    String meters =
        Files.readString(
            Path.of("src", "main", "java", "io", "holdfast", "client", "tasks", "TaskMeters.java"));
    Matcher names = Pattern.compile("\"(holdfast\\.tasks\\.[a-z.]+)\"").matcher(meters);
    // then
    int found = 0;
    while (names.find()) {
      assertThat(guide).contains("`" + names.group(1) + "`");
      found++;
    }
    assertThat(found).isEqualTo(10);
  }

  @Test
  void shouldDoWhatItSays() {
    // The clock stands still: what has failed stays failed, and is not tried again.
    try (EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.inMemory(), new ManualClock())) {
      // given
      Irrigation irrigation = new Irrigation(broker);
      AtomicInteger opened = new AtomicInteger();
      irrigation.connect(
          "a",
          "pump-1",
          new Irrigation.Pump() {
            @Override
            public void open() {
              opened.incrementAndGet();
            }

            @Override
            public void shut() throws IOException {
              throw new IOException("the valve is stuck");
            }
          });
      // when
      UUID start = irrigation.water("a");
      UUID stop = irrigation.stop("a");
      // then
      await()
          .untilAsserted(
              () ->
                  assertThat(irrigation.explain(start))
                      .isEqualTo(TaskStatus.COMPLETE + " after 1 attempts, by pump-1"));
      await()
          .untilAsserted(
              () -> assertThat(irrigation.explain(stop)).startsWith(TaskStatus.FAILED + " after"));
      assertThat(opened).hasValue(1);
      assertThat(irrigation.tryAgain()).isZero();
      irrigation.close();
    }
  }
}
