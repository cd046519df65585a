package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Sealer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MailboxTest {
  private static final long ROOMY = 1L << 30;

  @Test
  void shouldRefusePushesAtEightyPercentOfItsCountAndEverythingAtAll() {
    // given
    Mailbox mailbox = new Mailbox(10, ROOMY);

    // then
    assertThat(offered(mailbox, push(1), 20)).isEqualTo(8);
    assertThat(offered(mailbox, settle(), 20)).isEqualTo(2);
    assertThat(offered(mailbox, push(1), 1)).isZero();
    assertThat(mailbox.depth()).isEqualTo(10);
  }

  @Test
  void shouldRefusePushesAtEightyPercentOfItsBytesAndEverythingAtAll() {
    // given
    long bytes = push(5_000).bytes();
    Mailbox mailbox = new Mailbox(1_000_000, 10 * bytes);

    // then
    assertThat(bytes).isGreaterThan(5_000);
    assertThat(offered(mailbox, push(5_000), 20)).isEqualTo(8);
    assertThat(offered(mailbox, settle(), 1_000)).isEqualTo((int) (2 * bytes / settle().bytes()));
    assertThat(offered(mailbox, push(1), 1)).isZero();
  }

  @Test
  void shouldTakeAsMuchAgainAfterItWasEmptied() {
    // given
    Mailbox mailbox = new Mailbox(10, 10 * push(5_000).bytes());

    for (int round = 0; round < 1_000; round++) {
      // when
      int pushes = offered(mailbox, push(5_000), 12);
      mailbox.add(settle());
      int taken = 0;
      while (mailbox.poll() != null) {
        taken++;
      }

      // then
      assertThat(pushes).isEqualTo(8);
      assertThat(taken).isEqualTo(9);
      assertThat(mailbox.depth()).isZero();
      assertThat(mailbox.isEmpty()).isTrue();
    }
  }

  @Test
  void shouldTakeSomethingLargerThanItselfWhenEmpty() {
    // given
    Mailbox mailbox = new Mailbox(10, 1_000);

    // then
    assertThat(mailbox.offer(push(5_000))).isTrue();
    assertThat(mailbox.offer(settle())).isFalse();
    assertThat(mailbox.poll()).isNotNull();
    assertThat(mailbox.offer(settle())).isTrue();
  }

  @Test
  void shouldCountThePayloadsOfACommit() {
    // given
    int size = 100_000;
    byte[] payload = new byte[size];

    // then
    assertThat(commit(new Operation.PushMessage(NewMessage.to("q", payload), false)).bytes())
        .isGreaterThan(size);
    assertThat(commit(new Operation.PutRecord("k", 0, payload)).bytes()).isGreaterThan(size);
    assertThat(commit(new Operation.AppendJournal("j", 0, List.of(payload, payload))).bytes())
        .isGreaterThan(2L * size);
  }

  @Test
  void shouldNeverHoldMoreThanItsBoundWithManyCallers() {
    // given
    Mailbox mailbox = new Mailbox(100, ROOMY);
    AtomicInteger accepted = new AtomicInteger();
    List<CompletableFuture<Boolean>> callers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      callers.add(
          Calls.start(
              () -> {
                for (int n = 0; n < 2_000; n++) {
                  accepted.addAndGet(mailbox.offer(n % 2 == 0 ? push(1) : settle()) ? 1 : 0);
                }
                return true;
              }));
    }

    // when
    int taken = 0;
    boolean over = false;
    while (!over) {
      over = callers.stream().allMatch(CompletableFuture::isDone);
      int inARow = 0;
      while (mailbox.poll() != null) {
        inARow++;
      }
      taken += inARow;
    }

    // then
    callers.forEach(Calls::answerOf);
    assertThat(taken).isEqualTo(accepted.get()).isPositive();
    assertThat(mailbox.depth()).isZero();
    assertThat(offered(mailbox, settle(), 200)).isEqualTo(100);
  }

  private static int offered(Mailbox mailbox, Task task, int times) {
    int accepted = 0;
    for (int i = 0; i < times; i++) {
      accepted += mailbox.offer(task) ? 1 : 0;
    }
    return accepted;
  }

  private static Task push(int bytes) {
    List<NewMessage> messages = List.of(NewMessage.to("q", new byte[bytes]));
    return Task.Apply.of(new Command.PushMessages(Packed.of(messages), 1, null));
  }

  private static Task settle() {
    return Task.Apply.of(
        new Command.SettleMessages(SettleRequest.of(Settle.ackAll("AAAAAAAAAAA"))));
  }

  private static Task commit(Operation operation) {
    return Task.Apply.of(
        new Command.CommitOperations(
            Answers.parts(CommitRequest.of(operation), Sealer.NONE), null));
  }
}
