package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.server.MessagesFixture;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Pushes and acks that happen all or not at all. */
class TransactionRouteTest extends MessagesFixture {
  private static final String FORWARD =
      "{'type':'push','items':[{'queue':'out','payload':1,'transactionId':'f1'},"
          + "{'queue':'out','payload':2}]}";

  private Reply transact(String operations, String more) {
    return post("/api/v1/transaction", "{'operations':[" + operations + "]" + more + "}");
  }

  private static String ack(String fields) {
    return "{'type':'ack'," + fields + "}";
  }

  private void expectUndone(Reply reply, String reason, String code) {
    reply.expect(200);
    assertThat(reply.flag("/success")).isFalse();
    assertThat(reply.text("/reason")).isEqualTo(reason);
    assertThat(reply.text("/code")).isEqualTo(code);
    assertThat(reply.text("/error")).isNotEmpty();
    assertThat(reply.json().at("/results").isArray()).isTrue();
    assertThat(reply.json().at("/results")).isEmpty();
  }

  @Test
  void shouldForwardAMessage() {
    // given
    pushNamed("in", "a");
    Reply popped = pop("in");
    // when
    Reply done = transact(ack(handle(popped, 0)) + "," + FORWARD, "").expect(200);
    // then
    assertThat(done.flag("/success")).isTrue();
    assertThat(UUID.fromString(done.text("/transactionId"))).isNotNull();
    assertThat(done.json().at("/results")).hasSize(3);
    assertThat(done.text("/results/0/type")).isEqualTo("ack");
    assertThat(done.text("/results/0/transactionId")).isEqualTo("a");
    assertThat(done.text("/results/0/message")).isEqualTo("acknowledged");
    assertThat(done.json().at("/results/0/error").isNull()).isTrue();
    assertThat(done.number("/results/2/index")).isEqualTo(2);
    assertThat(done.number("/results/2/opIndex")).isEqualTo(1);
    assertThat(done.text("/results/1/queueName")).isEqualTo("out");
    Reply out = pop("out", "?batch=5");
    assertThat(out.text("/messages/0/id")).isEqualTo(done.text("/results/1/messageId"));
    assertThat(out.text("/messages/1/transactionId")).isEqualTo(done.text("/results/2/messageId"));
    assertThat(out.text("/messages/0/partitionId")).isEqualTo(done.text("/results/1/partitionId"));
    expectNothing("in", "EMPTY");
  }

  @Test
  void shouldPushAMessageThatStandsInTheOperation() {
    transact("{'payload':{'a':1},'queue':'out','partition':'p','type':'push'}", "").expect(200);
    assertThat(pop("out").text("/messages/0/partition")).isEqualTo("p");
  }

  @Test
  void shouldTakeEveryStatusOfAnAck() {
    // given
    configure("in", "'delivery':'shared'").expect(200);
    pushNamed("in", "a", "b", "c", "d");
    Reply popped = pop("in", "?batch=4");
    // when
    Reply done =
        transact(
                ack(handle(popped, 0) + ",'status':'completed'")
                    + ","
                    + ack(handle(popped, 1) + ",'status':'failed','error':'no'")
                    + ","
                    + ack(handle(popped, 2) + ",'status':'retry'")
                    + ","
                    + ack(handle(popped, 3) + ",'status':'dlq','error':'bad'"),
                "")
            .expect(200);
    // then
    assertThat(done.text("/results/0/message")).isEqualTo("acknowledged");
    assertThat(done.text("/results/1/message")).isEqualTo("failed_retry");
    assertThat(done.number("/results/1/retryCount")).isEqualTo(1);
    assertThat(done.text("/results/2/message")).isEqualTo("released");
    assertThat(done.text("/results/3/message")).isEqualTo("failed_dlq");
    assertThat(done.flag("/results/3/dlq")).isTrue();
    assertThat(data(pop("in", "?batch=4"))).isEqualTo("c");
    advanceSeconds(1);
    assertThat(data(pop("in", "?batch=4"))).isEqualTo("b");
    var dead = broker.deadLetters(DeadLettersRequest.of(DeadLetterFilter.queue("in"))).orThrow();
    assertThat(dead.total()).isEqualTo(1);
    assertThat(dead.items().getFirst().error()).isEqualTo("bad");
  }

  @Test
  void shouldDoNothingIfALeaseIsOver() {
    // given
    pushNamed("in", "a");
    Reply popped = pop("in");
    advanceSeconds(300);
    // when
    Reply undone = transact(FORWARD + "," + ack(handle(popped, 0)), "");
    // then
    expectUndone(undone, "ack_rejected", "STALE_LEASE");
    assertThat(undone.number("/failedIndex")).isEqualTo(2);
    assertThat(undone.number("/opIndex")).isEqualTo(1);
    assertThat(undone.text("/error")).isEqualTo("ACK operation failed: Lease validation failed");
    expectNothing("out", "EMPTY");
    pop("in");
  }

  @Test
  void shouldDoNothingIfAMessageIsThereAlready() {
    // given
    pushNamed("in", "a");
    pushNamed("out", "f1");
    Reply popped = pop("in");
    // when
    Reply undone = transact(ack(handle(popped, 0)) + "," + FORWARD, "");
    // then
    expectUndone(undone, "duplicate", "DUPLICATE");
    assertThat(undone.number("/failedIndex")).isEqualTo(1);
    assertThat(data(pop("out", "?batch=5"))).isEqualTo("f1");
    assertThat(ackFirst(popped, "").flag("/success")).isTrue();
  }

  @Test
  void shouldTakeADuplicateForGoodIfToldTo() {
    // given
    pushNamed("out", "f1");
    // when
    Reply done =
        transact(FORWARD.replace("'push'", "'push','onDuplicate':'ignore'"), "").expect(200);
    // then
    assertThat(done.flag("/results/0/duplicate")).isTrue();
    assertThat(done.flag("/results/1/duplicate")).isFalse();
    assertThat(data(pop("out", "?batch=5"))).isEqualTo("f12");
  }

  @Test
  void shouldStoreANameThatComesTwiceInOneCallOnce() {
    Reply done = transact(FORWARD + "," + FORWARD, "").expect(200);
    assertThat(done.flag("/success")).isTrue();
    assertThat(done.flag("/results/2/duplicate")).isTrue();
    assertThat(done.text("/results/2/messageId")).isEqualTo(done.text("/results/0/messageId"));
    assertThat(data(pop("out", "?batch=5"))).isEqualTo("122");
  }

  @Test
  void shouldAnswerARepeatWhatTheFirstWasAnswered() {
    // given
    pushNamed("in", "a");
    Reply popped = pop("in");
    String operations = ack(handle(popped, 0)) + "," + FORWARD;
    Reply first = transact(operations, ",'requestId':'r1'").expect(200);
    // when
    Reply repeat = transact(operations, ",'requestId':'r1'").expect(200);
    restart();
    Reply later = transact(operations, ",'requestId':'r1'").expect(200);
    // then
    assertThat(first.flag("/success")).isTrue();
    assertThat(first.text("/transactionId")).isEqualTo("r1");
    assertThat(repeat.json()).isEqualTo(first.json());
    assertThat(later.json()).isEqualTo(first.json());
    assertThat(data(pop("out", "?batch=5"))).isEqualTo("12");
    assertThat(transact(FORWARD, ",'requestId':'r1'").expect(409).text("/code"))
        .isEqualTo("REQUEST_ID_USED");
  }

  @Test
  void shouldRefuseARepeatWithoutARequestId() {
    // given
    pushNamed("in", "a");
    String operations = ack(handle(pop("in"), 0)) + ",{'type':'push','queue':'out','payload':1}";
    transact(operations, "").expect(200);
    restart();
    // when
    Reply repeat = transact(operations, "");
    // then
    expectUndone(repeat, "ack_rejected", "ALREADY_SETTLED");
    assertThat(data(pop("out", "?batch=5"))).isEqualTo("1");
  }

  @Test
  void shouldFenceAcksByTheOneRequiredLease() {
    // given
    pushNamed("in", "a");
    Reply first = pop("in");
    advanceSeconds(300);
    Reply second = pop("in");
    // when
    Reply stale =
        transact(ack(unfenced(first, 0)), ",'requiredLeases':['" + first.text("/leaseId") + "']");
    Reply good =
        transact(ack(unfenced(first, 0)), ",'requiredLeases':['" + second.text("/leaseId") + "']");
    // then
    expectUndone(stale, "ack_rejected", "STALE_LEASE");
    assertThat(good.expect(200).flag("/success")).isTrue();
  }

  @Test
  void shouldFenceAcksByWhicheverRequiredLeaseHoldsTheMessage() {
    // given
    pushNamed("in", "a");
    pushNamed("in2", "b");
    Reply a = pop("in", "?consumerGroup=g");
    Reply b = pop("in2");
    String leases = "'" + a.text("/leaseId") + "','" + b.text("/leaseId") + "'";
    String acks = ack(unfenced(b, 0)) + "," + ack(unfenced(a, 0) + ",'consumerGroup':'g'");
    String more = ",'requiredLeases':[" + leases + "],'requestId':'r'";
    // when
    Reply done = transact(acks, more).expect(200);
    Reply repeat = transact(acks, more).expect(200);
    // then
    assertThat(done.flag("/success")).isTrue();
    assertThat(repeat.json()).isEqualTo(done.json());
  }

  @Test
  void shouldNeverAckUnfencedWhereLeasesAreRequired() {
    // given
    pushNamed("in", "a");
    pushNamed("in2", "b");
    Reply old = pop("in");
    Reply other = pop("in2");
    advanceSeconds(299);
    post("/api/v1/lease/" + other.text("/leaseId") + "/extend").expect(200);
    advanceSeconds(1);
    Reply now = pop("in");
    String leases = "['" + old.text("/leaseId") + "','" + other.text("/leaseId") + "']";
    // when
    Reply undone = transact(ack(unfenced(now, 0)), ",'requiredLeases':" + leases);
    // then
    expectUndone(undone, "ack_rejected", "STALE_LEASE");
    assertThat(ackFirst(now, "").flag("/success")).isTrue();
    expectUndone(
        transact(ack("'transactionId':'zz','partitionId':'77'"), ",'requiredLeases':" + leases),
        "ack_rejected",
        "NOT_FOUND");
  }

  @Test
  void shouldTakeAnAckWithoutALeaseIfNoneIsRequired() {
    pushNamed("in", "a");
    Reply popped = pop("in");
    assertThat(transact(ack(unfenced(popped, 0)), "").flag("/success")).isTrue();
  }

  @Test
  void shouldSayThatAQueueIsFull() {
    // given
    configure("out", "'maxSize':1").expect(200);
    pushNamed("in", "a");
    Reply popped = pop("in");
    // when
    Reply full = transact(ack(handle(popped, 0)) + "," + FORWARD, "");
    // then
    assertThat(full.expect(429).text("/code")).isEqualTo("FULL");
    assertThat(full.text("/field")).isEqualTo("operations[2]");
    assertThat(full.header("Retry-After")).isEqualTo("1");
    assertThat(ackFirst(popped, "").flag("/success")).isTrue();
  }

  @Test
  void shouldRefuseWhatItDoesNotKnow() {
    String push = "{'type':'push','queue':'out','payload':1}";
    String[][] cases = {
      {"{}", "operations"},
      {"{'operations':[]}", "operations"},
      {"{'operations':{}}", "operations"},
      {"{'operations':[5]}", "operations[0]"},
      {"{'operations':[{'queue':'q','payload':1}]}", "operations[0].type"},
      {"{'operations':[{'type':'nack'}]}", "operations[0].type"},
      {"{'operations':[{'type':'push','type':'ack'}]}", "operations[0].type"},
      {"{'operations':[{'type':'push','payload':1}]}", "operations[0].queue"},
      {"{'operations':[{'type':'push','queue':'q','payloads':1}]}", "operations[0].payloads"},
      {"{'operations':[{'type':'push','items':[],'queue':'q'}]}", "operations[0].queue"},
      {"{'operations':[{'type':'push','items':[{'queue':5}]}]}", "operations[0].items[0].queue"},
      {"{'operations':[{'type':'push','items':[]}]}", "operations"},
      {"{'operations':[{'type':'ack','transactionId':'a'}]}", "operations[0].partitionId"},
      {"{'operations':[{'type':'ack','partitionId':'1'}]}", "operations[0].transactionId"},
      {"{'operations':[{'type':'ack','leaseId':'x'}]}", "operations[0].transactionId"},
      {"{'operations':[{'type':'ack','leaseID':'x'}]}", "operations[0].leaseID"},
      {"{'operations':[" + push + "],'kv':[{'op':'get'}]}", "kv"},
      {"{'operations':[" + push + "],'timers':[1]}", "timers"},
      {"{'operations':[" + push + "],'positions':[1]}", "positions"},
      {"{'operations':[" + push + "],'requiredLeases':['x']}", "requiredLeases"},
      {"{'operations':[" + push + "],'requiredLeases':['']}", "requiredLeases[0]"},
      {"{'operations':[" + push + "],'requestIds':1}", "requestIds"},
    };
    for (String[] one : cases) {
      Reply reply = post("/api/v1/transaction", one[0]);
      assertThat(reply.expect(400).text("/field")).as(one[0]).isEqualTo(one[1]);
    }
    transact(push, ",'kv':[],'timers':[],'positions':null,'requiredLeases':[]").expect(200);
    assertThat(data(pop("out", "?batch=9"))).isEqualTo("1");
  }
}
