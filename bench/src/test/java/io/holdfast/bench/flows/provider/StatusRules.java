package io.holdfast.bench.flows.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.workflow.Flows;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.admin.FlowAdmin;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Group 18: what a flow says of itself. */
abstract class StatusRules extends ProviderFixture {
  /** Says whatever it is told to; an empty text clears, "-" says nothing, "." ends. */
  private static final Orchestration<String, String> SAYS =
      Orchestration.named(
          "says",
          String.class,
          String.class,
          (flow, text) -> {
            int turns = 0;
            for (String next = text;
                !next.equals(".");
                next = flow.event("say", String.class).await()) {
              turns++;
              if (!next.equals("-")) {
                flow.status(next.isEmpty() ? null : next);
              }
            }
            return "" + turns;
          });

  StatusRules(ProviderContract implementation) {
    super(implementation);
  }

  private Flows saying(String first) {
    Flows flows = serve(SAYS);
    flows.start(SAYS, "a", first);
    eventually(() -> assertThat(admin.get("a").execution()).isEqualTo(1));
    return flows;
  }

  @Test
  @DisplayName("custom status: set")
  void shouldShowWhatTheFlowSays() {
    saying("begun");
    assertThat(admin.get("a").label()).isEqualTo("begun");
    assertThat(admin.get("a").labelVersion()).isEqualTo(1);
  }

  @Test
  @DisplayName("custom status: clear")
  void shouldShowNothingOnceItIsCleared() {
    Flows flows = saying("begun");
    flows.raise("a", "say", "");
    eventually(() -> assertThat(admin.get("a").labelVersion()).isEqualTo(2));
    assertThat(admin.get("a").label()).isNull();
  }

  @Test
  @DisplayName("custom status: none preserves")
  void shouldKeepShowingItInTurnsThatSayNothing() {
    Flows flows = saying("begun");
    flows.raise("a", "say", "-");
    flows.raise("a", "say", ".");
    assertThat(flows.await("a", SAYS, SOON)).isEqualTo("2");
    assertThat(admin.get("a").label()).isEqualTo("begun");
    assertThat(admin.get("a").labelVersion()).isEqualTo(1);
  }

  @Test
  @DisplayName("custom status: version increments")
  void shouldCountEveryChange() {
    Flows flows = saying("1");
    for (int i = 2; i <= 5; i++) {
      flows.raise("a", "say", "" + i);
    }
    flows.raise("a", "say", ".");
    flows.await("a", SAYS, SOON);
    assertThat(admin.get("a").label()).isEqualTo("5");
    assertThat(admin.get("a").labelVersion()).isEqualTo(5);
  }

  @Test
  @DisplayName("custom status: polling no change")
  void shouldWaitForAChangeAndTellThatThereWasNone() {
    // given
    Flows flows = saying("begun");
    FlowAdmin.Seen seen = admin.await("a", -1, 0).orElseThrow();
    // when
    CompletableFuture<Optional<FlowAdmin.Seen>> none =
        waiting(() -> admin.await("a", seen.version(), 5_000));
    eventually(
        () -> {
          advanceMs(5_000);
          assertThat(none).isDone();
        });
    // then
    assertThat(none.join().orElseThrow().version()).isEqualTo(seen.version());
    CompletableFuture<Optional<FlowAdmin.Seen>> some =
        waiting(() -> admin.await("a", seen.version(), 5_000));
    flows.raise("a", "say", "more");
    assertThat(some)
        .succeedsWithin(SOON)
        .matches(now -> "more".equals(now.orElseThrow().flow().label()));
  }

  @Test
  @DisplayName("custom status: nonexistent")
  void shouldTellThatThereIsNoSuchFlow() {
    assertThat(admin.await("nobody", -1, 0)).isEmpty();
    assertThat(admin.find("nobody")).isEmpty();
  }

  @Test
  @DisplayName("custom status: default on new")
  void shouldShowNothingOfAFlowThatSaidNothing() {
    saying("-");
    assertThat(admin.get("a").label()).isNull();
    assertThat(admin.get("a").labelVersion()).isZero();
  }
}
