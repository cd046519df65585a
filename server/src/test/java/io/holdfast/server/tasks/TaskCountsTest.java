package io.holdfast.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How far counting goes. */
class TaskCountsTest {
  @Test
  void shouldEndWhereItMust(@TempDir Path directory) {
    try (EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.at(directory))) {
      // given
      broker.configure(ConfigureRequest.queue("q").set(QueueOption.TRACK, true)).orThrow();
      NewMessage message = NewMessage.to("q", new byte[] {'1'});
      broker.push(PushRequest.of(Collections.nCopies(1_500, message))).orThrow();
      // when
      TaskCounts some = TaskCounts.of(broker, "q", 1_200);
      TaskCounts all = TaskCounts.of(broker, "q");
      // then
      assertThat(some.tasks).isEqualTo(1_200);
      assertThat(some.complete).isFalse();
      assertThat(all.tasks).isEqualTo(1_500);
      assertThat(all.complete).isTrue();
    }
  }
}
