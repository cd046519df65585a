package io.holdfast.server.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.ServerFixture;
import io.holdfast.server.access.NamePatterns;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The numbers of a sample are made once for all listeners who see the same. */
class SharedTicksTest extends ServerFixture {
  private static NamePatterns limited(String pattern) {
    return NamePatterns.of(List.of(pattern));
  }

  @Test
  void shouldMakeTheNumbersOfASampleOnceForAllWhoSeeTheSame() {
    try (Sampler sampler = new Sampler(broker, clock, About.NOTHING.disk(), () -> 0)) {
      sampler.start();
      LiveRoute live = new LiveRoute(sampler);
      Sample sample = sampler.now();
      assertThat(live.json(sample, limited("a.*"), null))
          .isSameAs(live.json(sample, limited("a.*"), null))
          .isNotSameAs(live.json(sample, limited("b.*"), null))
          .isNotSameAs(live.json(sample, limited("a.*"), "a.x"));
      assertThat(live.json(sample, NamePatterns.ALL, "q"))
          .isSameAs(live.json(sample, NamePatterns.ALL, "q"));
    }
  }
}
