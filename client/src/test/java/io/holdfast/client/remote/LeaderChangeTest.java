package io.holdfast.client.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.queue.Affected;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client of a cluster whose nodes lose the lead. */
final class LeaderChangeTest {
  private static final PushRequest PUSH = PushRequest.of(NewMessage.to("orders", new byte[1]));

  /** A node of a cluster, which is refused as its next answers say. */
  private static final class Node extends ForwardingBroker {
    private final AtomicInteger notLeading = new AtomicInteger();
    private final AtomicInteger unknown = new AtomicInteger();

    Node(Broker broker) {
      super(broker);
    }

    @Override
    public Result<Pushed> push(PushRequest request) {
      return answer(() -> super.push(request));
    }

    @Override
    public Result<Affected> deleteQueue(String queue) {
      return answer(() -> super.deleteQueue(queue));
    }

    /** Without an answer, the request is carried out all the same. */
    private <T> Result<T> answer(Supplier<Result<T>> request) {
      if (notLeading.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        return Result.refused(ErrorCode.NOT_LEADER, "this node does not lead the cluster");
      }
      Result<T> result = request.get();
      return unknown.getAndUpdate(left -> Math.max(0, left - 1)) > 0
          ? Result.refused(ErrorCode.OUTCOME_UNKNOWN, "the leader of the cluster changed")
          : result;
    }
  }

  private final Broker broker = EmbeddedBroker.open(EngineConfig.inMemory());
  private final Node first = new Node(broker);
  private final Node second = new Node(broker);
  private FrameServer firstServer;
  private FrameServer secondServer;
  private RemoteBroker remote;

  @BeforeEach
  void start() throws IOException {
    firstServer = new FrameServer(first);
    secondServer = new FrameServer(second);
    remote = RemoteBroker.at(firstServer.address(), secondServer.address());
  }

  @AfterEach
  void close() throws IOException {
    remote.close();
    firstServer.close();
    secondServer.close();
    broker.close();
  }

  @Test
  void shouldAskAnotherNodeIfOneDoesNotLead() {
    // given
    first.notLeading.set(1_000);

    // when
    Result<Pushed> pushed = remote.push(PUSH);

    // then
    assertThat(pushed.isOk()).isTrue();
    assertThat(secondServer.accepted()).isEqualTo(1);
  }

  @Test
  void shouldReturnTheRefusalIfNoNodeLeads() {
    // given
    first.notLeading.set(1_000);
    second.notLeading.set(1_000);

    // when
    Result<Pushed> pushed = remote.push(PUSH);

    // then
    assertThat(pushed.refusal().code()).isEqualTo(ErrorCode.NOT_LEADER);
  }

  @Test
  void shouldRepeatAPushWhoseOutcomeIsUnknownWithoutASecondEffect() {
    // given
    first.unknown.set(1);

    // when
    Result<Pushed> pushed = remote.push(PUSH);

    // then
    assertThat(pushed.isOk()).isTrue();
    assertThat(broker.pop(PopRequest.queue("orders").batch(10)).orThrow().messages()).hasSize(1);
  }

  @Test
  void shouldNotRepeatWhatMayDoHarm() {
    // given
    remote.push(PUSH).orThrow();
    first.unknown.set(1);

    // when, then
    assertThatThrownBy(() -> remote.deleteQueue("orders"))
        .isInstanceOfSatisfying(
            UnreachableException.class, unknown -> assertThat(unknown.isInDoubt()).isTrue());
  }

  @Test
  void shouldDoTheSameWithoutBlocking() {
    // given
    first.notLeading.set(1);
    second.unknown.set(1);

    // when
    Result<Pushed> pushed = remote.pushAsync(PUSH).join();

    // then
    assertThat(pushed.isOk()).isTrue();
    assertThat(broker.pop(PopRequest.queue("orders").batch(10)).orThrow().messages()).hasSize(1);
  }
}
