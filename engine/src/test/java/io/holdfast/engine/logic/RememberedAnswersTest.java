package io.holdfast.engine.logic;

import static io.holdfast.engine.logic.ShardRun.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.commit.RequestNumber;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Packed;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.store.Tables;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A repeated request gets its first answer, whatever other clients have sent in between. */
@Tag("slow")
class RememberedAnswersTest {
  private static final int OTHERS = 200_000;
  private static final int SWEEP_EVERY = 10_000;

  private ShardRun shard = new ShardRun();

  private static Command push(String requestId) {
    return new Command.PushMessages(Packed.of(List.of(message("m"))), 1, requestId);
  }

  private static Command push(String session, int slot, long sequence) {
    return new Command.PushMessages(
        Packed.of(List.of(message("m"))), 1, null, new RequestNumber(session, slot, sequence));
  }

  private String session() {
    return LeaseId.text(((Reply.SessionOpened) shard.apply(new Command.OpenSession())).session());
  }

  private static void assertRefused(Reply reply, ErrorCode code) {
    assertThat(((Reply.Refused) reply).refusal().code()).isEqualTo(code);
  }

  private static Settle ack(Reply.PoppedMessages popped) {
    return Settle.ackAll(LeaseId.text(popped.lease()));
  }

  @Test
  void shouldAnswerARepeatedRequestIdAfterManyOtherRequests() {
    // given
    String first = Replies.text(shard.apply(push("mine")));
    for (int i = 0; i < OTHERS; i++) {
      shard.apply(push("other-" + i));
      if (i % SWEEP_EVERY == 0) {
        shard.sweep();
      }
    }
    shard.pass(LogicLimits.REQUEST_MS - 1);

    // when
    String again = Replies.text(shard.apply(push("mine")));

    // then
    assertThat(again).isEqualTo(first);
    assertThat(shard.queue("q").stored).isEqualTo(OTHERS + 1);
  }

  @Test
  void shouldTellARepeatedAckThatItsMessageIsSettledAfterManyOtherLeases() {
    // given a message that was acked, and the leases of others that ended since
    shard.push(message("mine"));
    Settle mine = ack(shard.pop(PopRequest.queue("q")));
    assertThat(shard.settle(mine).verdicts().getFirst().status())
        .isEqualTo(SettleVerdict.Status.ACKED);
    for (int i = 0; i < OTHERS; i++) {
      shard.push(message("other"));
      shard.settle(ack(shard.pop(PopRequest.queue("q"))));
      if (i % SWEEP_EVERY == 0) {
        shard.sweep();
      }
    }
    shard.pass(LogicLimits.ENDED_MS_MIN - 1);

    // when
    SettleVerdict again = shard.settle(mine).verdicts().getFirst();

    // then
    assertThat(again.status()).isEqualTo(SettleVerdict.Status.ALREADY_SETTLED);
  }

  @Test
  void shouldAnswerARepeatedNumberAfterManyOtherRequests() {
    // given
    String mine = session();
    String first = Replies.text(shard.apply(push(mine, 0, 1)));
    String other = session();
    for (int i = 0; i < OTHERS; i++) {
      other = i % 100 == 0 ? session() : other;
      shard.apply(i % 2 == 0 ? push(other, i % 7, i + 1) : push("other-" + i));
      if (i % SWEEP_EVERY == 0) {
        shard.sweep();
      }
    }
    shard.pass(LogicLimits.SESSION_MS - 1);
    shard.reopen();

    // when
    String again = Replies.text(shard.apply(push(mine, 0, 1)));

    // then
    assertThat(again).isEqualTo(first);
    assertThat(shard.queue("q").stored).isEqualTo(OTHERS + 1);
  }

  @Test
  void shouldRefuseARepeatWhenThereWereTooManySessions() {
    // given
    shard = new ShardRun(ShardRun.LIMITS.remembered(1 << 20, 2, 1 << 20));
    String mine = session();
    shard.apply(push(mine, 0, 1));
    session();
    shard.apply(push(mine, 0, 2));

    // when another session is opened, then the least recently used one is dropped
    session();
    shard.apply(push(mine, 0, 3));

    // when both sessions are newer
    session();
    session();

    // then
    assertRefused(shard.apply(push(mine, 0, 3)), ErrorCode.REQUEST_FORGOTTEN);
    assertThat(shard.queue("q").stored).isEqualTo(3);
    assertThat(shard.state().sessions.size()).isEqualTo(2);
  }

  @Test
  void shouldRefuseARepeatWhenTheAnswersOfOthersTakeTooManyBytes() {
    // given
    shard = new ShardRun(ShardRun.LIMITS.remembered(1 << 20, 100, 100));
    String mine = session();
    shard.apply(push(mine, 0, 1));
    String other = session();
    for (int slot = 0; slot < 10; slot++) {
      shard.apply(push(other, slot, 1));
    }

    // then also after a restart
    assertRefused(shard.apply(push(mine, 0, 1)), ErrorCode.REQUEST_FORGOTTEN);
    shard.reopen();
    assertRefused(shard.apply(push(mine, 0, 1)), ErrorCode.REQUEST_FORGOTTEN);
    assertThat(shard.queue("q").stored).isEqualTo(11);
  }

  @Test
  void shouldRefuseRequestIdsInsteadOfForgettingOthers() {
    // given
    shard = new ShardRun(ShardRun.LIMITS.remembered(200, 10, 1 << 20));
    String first = Replies.text(shard.apply(push("mine")));
    Reply refused = shard.apply(push("other-0"));
    for (int i = 1; !(refused instanceof Reply.Refused); i++) {
      refused = shard.apply(push("other-" + i));
    }
    shard.reopen();

    // then
    assertRefused(refused, ErrorCode.OVERLOADED);
    assertRefused(shard.apply(push("another")), ErrorCode.OVERLOADED);
    assertThat(Replies.text(shard.apply(push("mine")))).isEqualTo(first);

    // when the answers are no longer kept
    shard.pass(2 * LogicLimits.REQUEST_MS);

    // then
    assertThat(shard.apply(push("another"))).isInstanceOf(Reply.PushedMessages.class);
  }

  @Test
  void shouldWriteOneRowForANumberAndKeepOneForEachSlot() {
    // given
    String mine = session();
    shard.push(message("m"));
    int plain = shard.rowsWritten;

    // when
    for (int i = 1; i <= 1_000; i++) {
      shard.apply(push(mine, i % 3, i));

      // then
      assertThat(shard.rowsWritten).isEqualTo(plain + 1);
    }
    assertThat(shard.rows(Tables.SLOTS)).isEqualTo(3);
  }

  @Test
  void shouldDeleteTheRowsOfWhatIsNoLongerRemembered() {
    // given
    String mine = session();
    shard.apply(push(mine, 0, 1));
    shard.apply(push("mine"));
    shard.settle(ack(shard.pop(PopRequest.queue("q"))));

    // when
    shard.pass(LogicLimits.SESSION_MS + 2 * LogicLimits.REQUEST_MS);

    // then
    for (byte table : new byte[] {Tables.SESSIONS, Tables.SLOTS, Tables.REQUESTS, Tables.ENDED}) {
      assertThat(shard.rows(table)).as("table %s", table).isZero();
    }
  }

  @Test
  void shouldRememberAnEndedLeaseAsLongAsItWas() {
    for (long lengthMs : new long[] {1, 400_000, 3_000_000, 40_000_000, Limits.LEASE_MS_MAX}) {
      // given
      shard.push(message("m"));
      Settle ack = ack(shard.pop(PopRequest.queue("q").leaseMs(lengthMs)));
      shard.settle(ack);
      long keptMs = Math.max(lengthMs, LogicLimits.ENDED_MS_MIN);

      // then
      shard.pass(keptMs - 1);
      shard.reopen();
      assertThat(shard.settle(ack).verdicts().getFirst().status())
          .isEqualTo(SettleVerdict.Status.ALREADY_SETTLED);
      shard.nowMs += 1;
      assertThat(shard.settle(ack).verdicts().getFirst().status())
          .isEqualTo(SettleVerdict.Status.STALE_LEASE);
    }
  }
}
