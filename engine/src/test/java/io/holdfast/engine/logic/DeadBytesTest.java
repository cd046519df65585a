package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.Position;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Reply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** No request makes dead letters of more bytes than a batch can hold, however large a lease is. */
final class DeadBytesTest {
  private static final int MESSAGES = 40;
  private static final int PAYLOAD_BYTES = 1 << 20;
  private static final long BATCH_BYTES_MAX = DeadBytes.BYTES_MAX + PAYLOAD_BYTES;

  private final ShardRun shard = new ShardRun();
  private final List<Handle> handles = new ArrayList<>();
  private @Nullable String lease;

  /** One lease, joined by several pops, that holds more than one request may kill. */
  @BeforeEach
  void lease() {
    for (int i = 0; i < MESSAGES; i++) {
      shard.push(NewMessage.to("q", new byte[PAYLOAD_BYTES]));
    }
    while (handles.size() < MESSAGES) {
      Reply.PoppedMessages popped =
          shard.pop(PopRequest.queue("q").batch(MESSAGES).joinLease(lease));
      String granted = LeaseId.text(popped.lease());
      lease = granted;
      popped
          .messages()
          .forEach(
              taken ->
                  handles.add(
                      new Handle(
                          granted, new Position(taken.partitionId(), taken.lane(), taken.seq()))));
    }
  }

  private Settle all(Settle.Outcome outcome) {
    return new Settle(
        new Settle.Target.WholeLease(handles.getFirst().leaseId()),
        outcome,
        "no",
        Settle.QUEUE_DELAY,
        false);
  }

  private List<Settle> killEach() {
    return handles.stream().map(handle -> Settle.kill(handle, "no")).toList();
  }

  private long dead() {
    return shard.queue("q").groups.getFirst().dead;
  }

  private void assertNothingHappened() {
    assertThat(dead()).isZero();
    assertThat(shard.bytesWritten).isLessThan(PAYLOAD_BYTES);
  }

  @Test
  void shouldNotKillAWholeLeaseThatIsTooLarge() {
    List<SettleVerdict> verdicts = shard.settle(all(Settle.Outcome.KILL)).verdicts();

    assertThat(verdicts).extracting(SettleVerdict::status).containsExactly(Status.NOT_APPLIED);
    assertNothingHappened();
  }

  @Test
  void shouldNotNackAWholeLeaseThatWouldDieOfIt() {
    shard.apply(
        new Command.ConfigureQueue(ConfigureRequest.queue("q").set(QueueOption.RETRY_LIMIT, 0L)));

    List<SettleVerdict> verdicts = shard.settle(all(Settle.Outcome.NACK)).verdicts();

    assertThat(verdicts).extracting(SettleVerdict::status).containsExactly(Status.NOT_APPLIED);
    assertNothingHappened();
  }

  @Test
  void shouldNackAWholeLeaseThatIsRetried() {
    List<SettleVerdict> verdicts = shard.settle(all(Settle.Outcome.NACK)).verdicts();

    assertThat(verdicts).extracting(SettleVerdict::status).containsExactly(Status.RETRYING);
  }

  @Test
  void shouldKillAsManyAsFitAndTheRestWithLaterRequests() {
    int requests = 0;
    while (dead() < MESSAGES) {
      shard.settle(killEach().toArray(Settle[]::new));
      assertThat(shard.bytesWritten).isLessThan(BATCH_BYTES_MAX);
      requests++;
    }
    assertThat(requests).isEqualTo(3);
  }

  @Test
  void shouldRefuseAnAtomicRequestAsAWhole() {
    Reply reply = shard.apply(new Command.SettleMessages(SettleRequest.atomic(killEach())));

    assertThat(refusal(reply).code()).isEqualTo(ErrorCode.TOO_LARGE);
    assertNothingHappened();
  }

  @Test
  void shouldRefuseACommitAsAWholeAndNameTheOperation() {
    List<Command.Part> parts = new ArrayList<>();
    killEach()
        .forEach(kill -> parts.add(new Command.Part.Other(new Operation.SettleMessage(kill))));

    Reply reply = shard.apply(new Command.CommitOperations(parts, null));

    assertThat(refusal(reply).code()).isEqualTo(ErrorCode.TOO_LARGE);
    assertThat(refusal(reply).operation()).isBetween(1, MESSAGES - 1);
    assertNothingHappened();
  }

  private static Refusal refusal(Reply reply) {
    return ((Reply.Refused) reply).refusal();
  }
}
