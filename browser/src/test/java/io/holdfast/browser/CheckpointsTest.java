package io.holdfast.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import io.holdfast.api.Broker;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.server.Upkeep;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checkpoints are made and listed on the page System. */
class CheckpointsTest extends DashboardTest {
  private static Stage stage;

  /** A broker whose owner makes checkpoints, of which this test needs the list only. */
  private static final class Owned extends ForwardingBroker implements Upkeep {
    private final List<Checkpoint> made = new ArrayList<>();

    private Owned(Broker broker) {
      super(broker);
    }

    @Override
    public synchronized Result<Checkpoint> checkpoint(@Nullable String name) {
      String called = name == null ? "20260102T030405Z" : name;
      made.add(new Checkpoint(called, "/data/checkpoints/" + called, 1 << 20, 1_767_322_800_000L));
      return Result.ok(made.getLast());
    }

    @Override
    public synchronized Result<List<Checkpoint>> checkpoints() {
      return Result.ok(List.copyOf(made));
    }
  }

  @BeforeAll
  static void start() {
    stage = new Stage(Owned::new);
  }

  @AfterAll
  static void stop() {
    stage.close();
  }

  @Override
  Stage stage() {
    return stage;
  }

  @Test
  void shouldMakeACheckpointAndListIt() {
    // given
    String name = named("before-upgrade");
    on.open("system");
    // when
    on.click("make-checkpoint");
    on.fill("checkpoint-name", "../out");
    assertThat(on.the("dialog-submit")).isDisabled();
    on.fill("checkpoint-name", name);
    on.submit();
    // then
    on.said("Checkpoint " + name + " was made");
    assertThat(on.the("checkpoint-row", name)).containsText("1.0 MiB");
    assertThat(on.the("checkpoint-row", name)).containsText("/data/checkpoints/" + name);
  }
}
