package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.Broker;
import io.holdfast.api.NewMessage;
import io.holdfast.api.PopRequest;
import io.holdfast.api.Popped;
import io.holdfast.api.PushRequest;
import io.holdfast.api.Settle;
import io.holdfast.api.SettleRequest;
import io.holdfast.api.TimeSource;
import io.holdfast.engine.store.RocksStore;
import io.holdfast.engine.store.RocksTuning;
import io.holdfast.engine.store.StoreException;
import io.holdfast.engine.store.Tables;
import io.holdfast.engine.store.Tx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data directory looked at while no broker runs. */
class VerifyTest {
  @TempDir Path parent;
  private Path directory = Path.of("unset");

  @BeforeEach
  void fill() {
    directory = parent.resolve("data");
    byte[] payload = "{}".getBytes(StandardCharsets.UTF_8);
    try (Broker broker = EmbeddedBroker.open(EngineConfig.at(directory), TimeSource.SYSTEM)) {
      for (int i = 0; i < 5; i++) {
        broker.push(PushRequest.of(NewMessage.to("orders", payload).transactionId("tx" + i)));
      }
      broker.push(PushRequest.of(NewMessage.to("orders", payload).delayMs(60_000)));
      Popped popped = broker.pop(PopRequest.queue("orders").batch(4)).orThrow();
      broker.settle(
          SettleRequest.of(
              Settle.ack(popped.messages().get(0).handle()),
              Settle.nack(popped.messages().get(1).handle(), "boom"),
              Settle.kill(popped.messages().get(2).handle(), "boom")));
    }
  }

  private void plant(Consumer<Tx> change) {
    try (RocksStore store = RocksStore.open(directory, RocksTuning.MODEST)) {
      Tx tx = store.begin();
      change.accept(tx);
      store.write(tx, true);
    }
  }

  @Test
  void shouldFindNothingWrongWithAHealthyDirectory() {
    // when
    Verify.Report report = Verify.directory(directory);

    // then
    assertThat(report.violations()).isEmpty();
    assertThat(report.isSound()).isTrue();
    assertThat(report.messages()).isEqualTo(5);
    assertThat(report.rows())
        .containsEntry("messages", 5L)
        .containsEntry("delayed", 1L)
        .containsEntry("dead", 1L)
        .containsEntry("returned", 1L)
        .containsEntry("leases", 1L);
  }

  @Test
  void shouldChangeNoRow() {
    // given
    Verify.Report first = Verify.directory(directory);

    // then
    assertThat(Verify.directory(directory)).isEqualTo(first);
  }

  @Test
  void shouldTellOfAMissingMessage() {
    // given
    plant(tx -> tx.delete(Tables.message(1, 1, 0, 2)));

    // when
    Verify.Report report = Verify.directory(directory);

    // then
    assertThat(report.isSound()).isFalse();
    assertThat(report.violations())
        .anyMatch(text -> text.contains("messages") && text.contains("ordinal"))
        .anyMatch(text -> text.contains("returned") && text.contains("not stored"));
  }

  @Test
  void shouldTellOfARowWhosePartitionIsGone() {
    // given
    plant(tx -> tx.put(Tables.hole(1, 99, 0, 1), new byte[0]));

    // when
    Verify.Report report = Verify.directory(directory);

    // then
    assertThat(report.violations())
        .anyMatch(text -> text.contains("holes") && text.contains("partition 99"))
        .anyMatch(text -> text.contains("could not open"));
  }

  @Test
  void shouldTellOfARowThatCannotBeRead() {
    // given
    plant(tx -> tx.put(Tables.lease(7), new byte[] {1}));

    // then
    assertThat(Verify.directory(directory).violations())
        .anyMatch(text -> text.contains("leases") && text.contains("cannot be read"));
  }

  @Test
  void shouldRefuseADirectoryThatIsNoStore() {
    // then
    assertThatThrownBy(() -> Verify.directory(parent.resolve("nothing")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no store");
    assertThat(parent.resolve("nothing")).doesNotExist();
  }
}
