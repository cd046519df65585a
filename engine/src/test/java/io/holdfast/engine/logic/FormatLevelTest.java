package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.ErrorCode;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.FormatLevels;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.UnknownFormatException;
import io.holdfast.engine.store.MemoryStore;
import io.holdfast.engine.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The format level of a shard, as versions that know other levels see it. */
class FormatLevelTest {
  private static final FormatLevels TODAY = new FormatLevels(1, 1);
  private static final FormatLevels NEXT = new FormatLevels(1, 2);

  private static ShardRun shard(FormatLevels known) {
    return new ShardRun(ShardRun.LIMITS, known, new MemoryStore());
  }

  /** The same rows in a version that knows other levels. */
  private static ShardRun upgraded(ShardRun shard, FormatLevels known) {
    return new ShardRun(ShardRun.LIMITS, known, shard.store().reopen());
  }

  private static Reply raise(ShardRun shard, int level) {
    return shard.apply(new Command.RaiseFormat(level));
  }

  @Test
  void shouldBeginANewShardAtTheNewestLevel() {
    assertThat(shard(TODAY).state().format()).isEqualTo(1);
    assertThat(shard(NEXT).state().format()).isEqualTo(2);
  }

  @Test
  void shouldKeepTheLevelOfAnOldShardUntilItIsRaised() {
    // given
    ShardRun old = shard(TODAY);
    old.push(ShardRun.message("1"));

    // when
    ShardRun shard = upgraded(old, NEXT);

    // then
    assertThat(shard.state().format()).isEqualTo(1);
    assertThat(raise(shard, 2)).isEqualTo(new Reply.RaisedFormat(2));
    assertThat(shard.state().format()).isEqualTo(2);
    shard.reopen();
    assertThat(shard.state().format()).isEqualTo(2);
  }

  @Test
  void shouldAnswerTheLevelThatItHasAlready() {
    ShardRun shard = shard(NEXT);

    assertThat(raise(shard, 2)).isEqualTo(new Reply.RaisedFormat(2));
    assertThat(shard.state().format()).isEqualTo(2);
  }

  @Test
  void shouldNeverLowerTheLevel() {
    // given
    ShardRun shard = shard(NEXT);

    // when
    Reply reply = raise(shard, 1);

    // then
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            refused -> {
              assertThat(refused.refusal().code()).isEqualTo(ErrorCode.WRONG_STATE);
              assertThat(refused.refusal().detail())
                  .isEqualTo("the format level is 2 and is never lowered; level 1 was asked for");
            });
    assertThat(shard.state().format()).isEqualTo(2);
  }

  @Test
  void shouldStopWhenTheLevelIsRaisedToOneThatItDoesNotKnow() {
    ShardRun shard = shard(TODAY);

    assertThatThrownBy(() -> raise(shard, 2))
        .isInstanceOf(UnknownFormatException.class)
        .hasMessage(
            "The command RaiseFormat has format level 2, and this version of Holdfast knows the"
                + " levels 1 to 1. Run the newer version that wrote it.");
  }

  @Test
  void shouldNotOpenAStoreWhoseLevelItDoesNotKnow() {
    // given
    ShardRun newer = shard(NEXT);
    newer.push(ShardRun.message("1"));

    // then
    assertThatThrownBy(() -> upgraded(newer, TODAY))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "The store has format level 2, and this version of Holdfast knows the levels 1 to 1."
                + " Run the newer version that wrote it.");
    assertThatThrownBy(() -> upgraded(newer, new FormatLevels(3, 5)))
        .isInstanceOf(StoreException.class)
        .hasMessageEndingWith("Run an older version that knows it.");
  }

  @Test
  void shouldNotOpenAStoreWithoutALevel() {
    // given
    ShardRun shard = shard(TODAY);
    shard.push(ShardRun.message("1"));
    var batch = shard.store().begin();
    batch.delete(FormatRow.KEY);
    shard.store().write(batch, true);

    // then
    assertThatThrownBy(() -> upgraded(shard, TODAY))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("does not contain its format level");
  }

  /** A rule of the next version: from level 2 on, a paused queue takes no messages. */
  private static String pushByNextRules(ShardRun shard) {
    Queue queue = shard.state().queue("q");
    boolean refused = shard.state().format() >= 2 && queue != null && queue.paused;
    return refused ? "refused" : shard.push(ShardRun.message("1")).getClass().getSimpleName();
  }

  @Test
  void shouldLetARuleChangeAtTheCommandThatRaisesTheLevel() {
    for (boolean restarts : List.of(false, true)) {
      // given: a log that began in this version
      ShardRun old = shard(TODAY);
      List<String> replies = new ArrayList<>();
      replies.add(pushByNextRules(old));
      old.apply(new Command.PauseQueue("q", true));

      // when: the next version applies the rest of it
      ShardRun shard = upgraded(old, NEXT);
      for (int level = 1; level <= 2; level++) {
        raise(shard, level);
        if (restarts) {
          shard.reopen();
        }
        replies.add(pushByNextRules(shard));
      }

      // then
      assertThat(replies).containsExactly("PushedMessages", "PushedMessages", "refused");
    }
  }
}
