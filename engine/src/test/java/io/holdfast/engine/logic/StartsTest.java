package io.holdfast.engine.logic;

import static io.holdfast.engine.logic.ShardRun.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.group.SubscribeRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Reply;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A group waits for a bounded number of times, and forgets those that are over. */
final class StartsTest {
  private final ShardRun shard = new ShardRun();

  private Reply subscribe(long inMs) {
    StartFrom start = new StartFrom.Time(shard.state().lastMs + inMs);
    return shard.apply(
        new Command.SubscribeGroup(new SubscribeRequest("q", PopRequest.QUEUE_MODE, start)));
  }

  private Group group() {
    return Objects.requireNonNull(shard.queue("q").group(PopRequest.QUEUE_MODE));
  }

  private void fill() {
    shard.pop(PopRequest.queue("q"));
    for (int i = 0; i < LogicLimits.STARTS_MAX; i++) {
      assertThat(subscribe(60_000 + i)).isInstanceOf(Reply.ChangedStart.class);
      shard.push(message("early").partition("p" + i));
    }
  }

  @Test
  void shouldRefuseToWaitForMoreTimesThanItMay() {
    // given
    fill();
    // when
    Reply reply = subscribe(90_000);
    // then
    assertThat(((Reply.Refused) reply).refusal().code()).isEqualTo(ErrorCode.LIMIT);
    assertThat(group().waiting).isZero();
  }

  @Test
  void shouldForgetTimesThatAreOver() {
    // given
    fill();
    // when
    shard.pass(120_000);
    // then
    assertThat(subscribe(-1)).isInstanceOf(Reply.ChangedStart.class);
    assertThat(group().starts.isEmpty()).isTrue();
  }

  @Test
  void shouldTakeNoMoreRoomForTimesThatNoPartitionCameUnder() {
    // given
    shard.pop(PopRequest.queue("q"));
    // when
    for (int i = 0; i <= LogicLimits.STARTS_MAX; i++) {
      // then
      assertThat(subscribe(60_000 + i)).isInstanceOf(Reply.ChangedStart.class);
    }
  }
}
