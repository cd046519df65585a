package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.api.queue.Counts;
import io.holdfast.engine.readme.Orders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the README is the one that is compiled, and does what it says. */
class ReadmeExampleTest {
  private static final Path README = Path.of("..", "README.md");
  private static final Path SOURCE =
      Path.of("src", "test", "java", "io", "holdfast", "engine", "readme", "Orders.java");

  private static final String FENCE = "```java\n";

  @TempDir Path directory;

  @Test
  void shouldShowTheCompiledExample() throws IOException {
    // given
    String source = Files.readString(SOURCE);
    String readme = Files.readString(README);
    // when
    int begin = readme.indexOf(FENCE, readme.indexOf("## Embed it")) + FENCE.length();
    String shown = readme.substring(begin, readme.indexOf("```", begin));
    // then
    assertThat(shown).isEqualTo(source.substring(source.indexOf("public final class")));
  }

  @Test
  void shouldDoWhatItSays() {
    // when
    Orders.run(directory.resolve("data"));
    // then
    try (Broker broker = EmbeddedBroker.open(EngineConfig.at(directory.resolve("data")))) {
      Counts orders = broker.queue("orders").orThrow().counts();
      assertThat(orders.stored()).isEqualTo(3);
      assertThat(orders.waiting()).isZero();
      assertThat(orders.inFlight()).isZero();
      assertThat(orders.returned()).isEqualTo(1);
      assertThat(broker.queue("invoices").orThrow().counts().waiting()).isEqualTo(1);
    }
  }
}
