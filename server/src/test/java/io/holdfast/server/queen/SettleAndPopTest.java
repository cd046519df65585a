package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.server.MessagesFixture;
import io.holdfast.server.messages.PopAnswer;
import io.holdfast.testkit.WaitLimits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A pop with a body: all that the other pops do, and settles in the same step. */
class SettleAndPopTest extends MessagesFixture {
  private Reply ask(String fields) {
    return post("/api/v1/pop", "{" + fields + "}");
  }

  @Test
  void shouldPopAsTheOtherPopsDo() {
    // given
    pushNamed("q", "a", "b", "c");
    // when
    Reply popped =
        ask("'queue':'q','consumerGroup':'g','batch':2,'leaseSeconds':7,'worker':'w'").expect(200);
    // then
    assertThat(data(popped)).isEqualTo("ab");
    assertThat(popped.text("/consumerGroup")).isEqualTo("g");
    assertThat(popped.text("/leaseExpiresAt")).isEqualTo("2026-01-01T00:00:07.000Z");
    assertThat(popped.json().at("/settled").isMissingNode()).isTrue();
    assertThat(get("/api/v1/lease/" + popped.text("/leaseId")).text("/worker")).isEqualTo("w");
    Reply locked = ask("'queue':'q','consumerGroup':'g'").expect(204);
    assertThat(locked.header("X-Holdfast-Reason")).isEqualTo("LOCKED");
    assertThat(locked.header("X-Holdfast-Retry-At")).isEqualTo("2026-01-01T00:00:07.000Z");
    assertThat(data(ask("'queue':'q','partition':'Default','autoAck':true").expect(200)))
        .isEqualTo("a");
    ask("'queue':'q','partition':'other'").expect(204);
    ask("'queue':'q','consumerGroup':'n','subscriptionMode':'new'").expect(204);
    ask("'queue':'q','consumerGroup':'m','subscriptionFrom':'now'").expect(204);
  }

  @Test
  void shouldReturnTheSameMessagesUnderANewLeaseToARepeatedPop() {
    // given
    pushNamed("q", "a", "b");
    Reply first = pop("q", "?attemptId=x").expect(200);
    // when
    Reply again = pop("q", "?attemptId=x").expect(200);
    Reply posted = ask("'queue':'q','attemptId':'x'").expect(200);
    // then
    assertThat(data(again)).isEqualTo("a");
    assertThat(data(posted)).isEqualTo("a");
    assertThat(again.text("/leaseId")).isNotEqualTo(first.text("/leaseId"));
    assertThat(posted.text("/leaseId")).isNotEqualTo(again.text("/leaseId"));
    assertThat(ask("'queue':'q','attemptId':'x','autoAck':true").expect(400).http().body())
        .contains("attemptId");
    assertThat(ask("'queue':'q','attemptId':'y'").expect(204).header("X-Holdfast-Reason"))
        .isEqualTo("LOCKED");
  }

  @Test
  void shouldTakeFromAllQueuesOfANamespace() {
    configure("q", "'namespace':'n','task':'t'").expect(200);
    pushNamed("q", "a");
    Reply popped = ask("'namespace':'n','task':'t'").expect(200);
    assertThat(data(popped)).isEqualTo("a");
    assertThat(popped.text("/queue")).isEmpty();
  }

  @Test
  void shouldSettleAndPopInOneStep() {
    // given
    pushNamed("q", "a", "b", "c");
    Reply first = pop("q", "?batch=2");
    // when
    Reply second =
        ask("'queue':'q','batch':5,'settles':[{"
                + handle(first, 0)
                + "},{"
                + handle(first, 1)
                + ",'status':'dlq'},{'transactionId':'zz','partitionId':'1'}]")
            .expect(200);
    // then
    assertThat(data(second)).isEqualTo("c");
    assertThat(second.json().at("/settled")).hasSize(3);
    assertThat(second.text("/settled/0/message")).isEqualTo("acknowledged");
    assertThat(second.text("/settled/1/message")).isEqualTo("failed_dlq");
    assertThat(second.text("/settled/2/message")).isEqualTo("not_found");
    assertThat(second.flag("/settled/2/success")).isFalse();
  }

  @Test
  void shouldTellTheVerdictsEvenIfThereIsNothingToPop() {
    // given
    pushNamed("q", "a", "b");
    Reply popped = pop("q", "?batch=2");
    // when
    Reply empty =
        ask("'queue':'q','settles':[{'leaseId':'" + popped.text("/leaseId") + "'}]").expect(200);
    // then
    assertThat(empty.flag("/success")).isTrue();
    assertThat(empty.json().at("/messages")).isEmpty();
    assertThat(empty.text("/reason")).isEqualTo("EMPTY");
    assertThat(empty.text("/leaseId")).isEmpty();
    assertThat(empty.number("/settled/0/count")).isEqualTo(2);
    assertThat(empty.text("/settled/0/message")).isEqualTo("acknowledged");
    assertThat(empty.text("/settled/0/leaseId")).isEqualTo(popped.text("/leaseId"));
  }

  @Test
  void shouldWaitForMessagesOnceItHasSettled() throws Exception {
    // given
    pushNamed("q", "a");
    Reply first = pop("q");
    CompletableFuture<Reply> waiting =
        CompletableFuture.supplyAsync(
            () ->
                ask(
                    "'queue':'q','wait':true,'timeout':60000,'settles':[{"
                        + handle(first, 0)
                        + "}]"),
            Thread::startVirtualThread);
    // when
    pushNamed("q", "b");
    Reply second = waiting.get(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS).expect(200);
    // then
    assertThat(data(second)).isEqualTo("b");
    assertThat(second.flag("/settled/0/success")).isTrue();
  }

  @Test
  void shouldLetMessagesJoinALease() {
    // given
    pushNamed("q", "a", "b");
    Reply first = pop("q");
    String lease = first.text("/leaseId");
    // when
    Reply second = ask("'queue':'q','joinLease':'" + lease + "'").expect(200);
    // then
    assertThat(second.text("/leaseId")).isEqualTo(lease);
    assertThat(get("/api/v1/lease/" + lease).number("/open")).isEqualTo(2);
    assertThat(ask("'queue':'q','joinLease':'none'").expect(409).text("/code"))
        .isEqualTo("STALE_LEASE");
  }

  @Test
  void shouldGiveBackWhatJoinedALeaseIfTheAnswerCannotBeSent() {
    // given
    pushNamed("q", "a", "b");
    String lease = pop("q").text("/leaseId");
    PopRequest request = PopRequest.queue("q").joinLease(lease);
    Popped popped = broker.pop(request).orThrow();
    // when
    Runnable undo = PopAnswer.of(broker, request, popped, List.of()).ifUnsent();
    assertThat(undo).isNotNull();
    undo.run();
    // then
    assertThat(get("/api/v1/lease/" + lease).number("/open")).isEqualTo(1);
    assertThat(data(ask("'queue':'q','joinLease':'" + lease + "'").expect(200))).isEqualTo("b");
  }

  @Test
  void shouldGiveBackALeaseIfTheAnswerCannotBeSent() {
    // given
    pushNamed("q", "a", "b");
    PopRequest request = PopRequest.queue("q").batch(2);
    Popped popped = broker.pop(request).orThrow();
    // when
    Runnable undo = PopAnswer.of(broker, request, popped, List.of()).ifUnsent();
    assertThat(undo).isNotNull();
    undo.run();
    // then
    assertThat(data(pop("q", "?batch=5"))).isEqualTo("ab");
  }

  @Test
  void shouldRefuseWhatItDoesNotKnow() {
    String[][] cases = {
      {"", "queue"},
      {"'queue':null", "queue"},
      {"'queue':5", "queue"},
      {"'queue':''", "queue"},
      {"'partition':'p'", "partition"},
      {"'queue':'q','namespace':'n'", "queue"},
      {"'queue':'q','batch':0", "batch"},
      {"'queue':'q','batch':10001", "batch"},
      {"'queue':'q','partitions':0", "partitions"},
      {"'queue':'q','wait':'yes'", "wait"},
      {"'queue':'q','timeout':600001", "timeout"},
      {"'queue':'q','subscriptionMode':'old'", "subscriptionMode"},
      {"'queue':'q','subscriptionFrom':'then'", "subscriptionFrom"},
      {"'queue':'q','leaseSeconds':-1", "leaseSeconds"},
      {"'queue':'q','joinLease':'x','autoAck':true", "joinLease"},
      {"'queue':'q','settles':{}", "settles"},
      {"'queue':'q','settles':[{}]", "settles[0].transactionId"},
      {"'queue':'q','settles':[{'leaseId':'x','status':'no'}]", "settles[0].status"},
      {"'queue':'q','settles':[{'leaseId':'x','seq':1}]", "settles[0].partitionId"},
      {"'queue':'q','settles':[{'leaseId':'x','rest':true}]", "settles[0].rest"},
      {"'queue':'q','size':1", "size"},
      {"'queue':'q','size':null", "size"},
    };
    for (String[] one : cases) {
      Reply reply = ask(one[0]);
      assertThat(reply.expect(400).text("/field")).as(one[0]).isEqualTo(one[1]);
    }
    post("/api/v1/pop").expect(400);
  }
}
