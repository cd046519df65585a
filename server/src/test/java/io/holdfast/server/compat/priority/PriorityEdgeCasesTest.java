package io.holdfast.server.compat.priority;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The seven edge cases of the priority queue, and what lies between them. */
class PriorityEdgeCasesTest extends PriorityFixture {
  @Test
  void shouldPopNothingWhileLocked() {
    // given
    push("1", 0);
    Reply first = popLocked();
    push("2", 0);
    // when
    Reply second = popLocked();
    // then
    assertFailed(second, 423, "Queue is locked pending acknowledgement");
    assertThat(second.json().has("lock_id")).isFalse();
    acknowledge(lockOf(first)).expect(200);
    assertThat(items(popLocked())).containsExactly("2");
  }

  @Test
  void shouldTellThatALockHasExpiredAndLoseNothing() {
    // given
    push("1", 3);
    push("2", 7);
    String lock = lockOf(popLocked());
    // when
    advanceSeconds(30);
    // then
    assertFailed(acknowledge(lock), 410, "Lock has expired");
    assertFailed(acknowledge(lock), 410, "Lock has expired");
    restart();
    assertFailed(acknowledge(lock), 410, "Lock has expired");
    assertThat(items(pop())).containsExactly("1", "2");
  }

  @Test
  void shouldKeepTheLockWhenAnotherLockIsNamed() {
    // given
    push("1", 0);
    String lock = lockOf(popLocked());
    // when
    Reply wrong = acknowledge("abc123def456");
    // then
    assertFailed(wrong, 400, "Invalid lock_id");
    assertFailed(pop(), 423, "Queue is locked pending acknowledgement");
    acknowledge(lock).expect(200);
  }

  @Test
  void shouldLockNothingWhenThereIsNothing() {
    // when
    Reply popped = popLocked();
    // then
    assertThat(items(popped)).isEmpty();
    assertThat(popped.http().body()).isEqualTo("{\"items\":[],\"count\":0,\"locked\":false}");
    push("1", 0);
    assertThat(items(popLocked())).containsExactly("1");
  }

  @Test
  void shouldReturnItemsToTheirOwnPrioritiesInOrder() {
    // given
    push("\"b1\"", 1);
    push("\"c1\"", 2);
    push("\"b2\"", 1);
    push("\"a1\"", 0);
    assertThat(items(popLocked())).containsExactly("\"a1\"", "\"b1\"", "\"b2\"", "\"c1\"");
    push("\"b3\"", 1);
    push("\"a2\"", 0);
    // when
    advanceSeconds(30);
    // then
    assertThat(items(pop()))
        .containsExactly("\"a1\"", "\"a2\"", "\"b1\"", "\"b2\"", "\"b3\"", "\"c1\"");
  }

  @Test
  void shouldKeepTheLockOverARestart() {
    // given
    push("1", 0);
    push("2", 5);
    String lock = lockOf(post(QUEUE + "/pop?require_ack=true&ttl_seconds=60").expect(200));
    // when
    restart();
    // then
    assertFailed(pop(), 423, "Queue is locked pending acknowledgement");
    assertThat(acknowledge(lock).expect(200).number("/items_acknowledged")).isEqualTo(2);
    assertThat(items(pop())).isEmpty();
  }

  @Test
  void shouldLetALockExpireThatARestartFound() {
    // given
    push("1", 4);
    String lock = lockOf(popLocked());
    restart();
    // when
    advanceSeconds(30);
    // then
    assertFailed(acknowledge(lock), 410, "Lock has expired");
    assertThat(items(pop())).containsExactly("1");
  }

  @Test
  void shouldAcknowledgeAllItemsOfALockTogether() {
    // given
    push("1", 0);
    push("2", 1);
    push("3", 2);
    push("4", 2);
    // when
    Reply popped = post(QUEUE + "/pop?require_ack=true&count=3");
    // then
    assertThat(items(popped)).containsExactly("1", "2", "3");
    assertThat(acknowledge(lockOf(popped)).expect(200).number("/items_acknowledged")).isEqualTo(3);
    assertThat(items(pop())).containsExactly("4");
  }

  @Test
  void shouldSayThatThereIsNoLock() {
    assertFailed(acknowledge("abc123def456"), 404, "No active lock found");
    push("1", 0);
    assertFailed(acknowledge("abc123def456"), 404, "No active lock found");
    String lock = lockOf(popLocked());
    acknowledge(lock).expect(200);
    // A lock is acknowledged once.
    assertFailed(acknowledge(lock), 404, "No active lock found");
    push("2", 0);
    popLocked().expect(200);
    assertFailed(acknowledge(lock), 400, "Invalid lock_id");
  }

  @Test
  void shouldTakeTheLockOfAnotherQueueForNone() {
    // given
    push("1", 0);
    String lock = lockOf(popLocked());
    // then
    assertFailed(acknowledge("/queue/other", lock), 404, "No active lock found");
    post("/queue/other/push", "{'item':1}").expect(200);
    post("/queue/other/pop?require_ack=true").expect(200);
    assertFailed(acknowledge("/queue/other", lock), 400, "Invalid lock_id");
    acknowledge(lock).expect(200);
  }

  @Test
  void shouldAskForALockId() {
    for (String body : List.of("{}", "{'lock_id':''}", "{'lock_id':null}")) {
      assertFailed(post(QUEUE + "/acknowledge", body), 400, "lock_id is required");
    }
    assertFailed(
        post(QUEUE + "/acknowledge", "{'lock_id':5}"), 400, "lock_id: expected a text, but got 5");
  }

  @Test
  void shouldBringTheTtlWithinItsBounds() {
    push("1", 0);
    for (String ttl :
        List.of("1:1", "0:1", "-7:1", "300:300", "301:300", "99999999999999999999999:300", ":30")) {
      // when
      String[] parts = ttl.split(":", -1);
      Reply popped = post(QUEUE + "/pop?require_ack=true&ttl_seconds=" + parts[0]).expect(200);
      // then
      double expected = nowSeconds() + Long.parseLong(parts[1]);
      assertThat(popped.json().get("lock_expires_at").asDouble()).as(ttl).isEqualTo(expected);
      assertThat(popped.http().body()).containsPattern("\"lock_expires_at\":[0-9]+\\.[0-9]{3}[,}]");
      acknowledge(lockOf(popped)).expect(200);
      push("1", 0);
    }
    for (String ttl : List.of("abc", "1.5", "1e2", "-")) {
      assertFailed(
          post(QUEUE + "/pop?ttl_seconds=" + ttl),
          400,
          "ttl_seconds: expected a whole number, but got \"" + ttl + "\"");
    }
  }

  @Test
  void shouldTakeAHundredItemsUnlessTold() {
    // given
    StringBuilder body = new StringBuilder("{'items':[");
    for (int i = 0; i < 130; i++) {
      body.append(i == 0 ? "" : ",").append("{'item':" + i + ",'priority':" + i % 2 + "}");
    }
    Reply pushed = post(QUEUE + "/push", body + "]}").expect(200);
    assertThat(pushed.number("/items_pushed")).isEqualTo(130);
    assertThat(pushed.json().get("ids").size()).isEqualTo(130);
    // when
    List<String> first = items(pop());
    // then
    assertThat(first).hasSize(100).startsWith("0", "2").endsWith("67", "69");
    assertThat(items(post(QUEUE + "/pop?count=7"))).hasSize(7).startsWith("71");
    assertThat(items(pop())).hasSize(23);
  }

  @Test
  void shouldKeepEveryKindOfItem() {
    for (String item : List.of("1.50", "\"x\"", "true", "null", "[]", "{}", "{ \"a\" : [1] }")) {
      push(item, 0);
      assertThat(pop().http().body()).isEqualTo("{\"items\":[" + item + "],\"count\":1}");
    }
  }

  @Test
  void shouldRefuseWhatIsNoItem() {
    for (String bad :
        List.of(
            "{'item':1,'priority':-1} -> priority: expected a whole number from 0 to 2147483647,"
                + " but got -1",
            "{'item':1,'priority':2147483648} -> priority: expected a whole number from 0 to"
                + " 2147483647, but got 2147483648",
            "{'item':1,'priority':'hi'} -> priority: expected a whole number from 0 to 2147483647,"
                + " but got a text",
            "{'priority':1} -> item: expected any JSON, but there is none",
            "{'items':[]} -> items: expected at least one, but it is empty",
            "{'items':[{'item':1},{'priority':1}]} -> items[1].item: expected any JSON, but there"
                + " is none",
            "{'items':[{'item':1},5]} -> items[1]: expected an object, but got 5",
            "{'items':[{'item':1}],'priority':1} -> items: expected this or priority, but got both",
            "{'items':[{'item':1}],'item':1} -> items: expected this or item, but got both",
            "{'item':1,'prio':1} -> prio: there is no such field here; there are item, priority,"
                + " items")) {
      String[] parts = bad.split(" -> ", 2);
      assertFailed(post(QUEUE + "/push", parts[0]), 400, parts[1]);
    }
    assertThat(items(pop())).isEmpty();
  }

  @Test
  void shouldTakeTheHighestPriorityNumber() {
    // given
    push("\"last\"", Integer.MAX_VALUE);
    push("\"first\"", 10);
    // then
    assertThat(items(pop())).containsExactly("\"first\"", "\"last\"");
  }

  @Test
  void shouldSayWhyAPausedQueueGivesNothing() {
    // given
    push("1", 0);
    broker.pause("my-queue", true).orThrow();
    // when
    Reply popped = popLocked().expect(200);
    // then
    assertThat(items(popped)).isEmpty();
    assertThat(popped.flag("/locked")).isFalse();
    assertThat(popped.text("/message")).isEqualTo("The queue is paused");
    assertThat(popped.header("X-Holdfast-Reason")).isEqualTo("PAUSED");
  }

  @Test
  void shouldTellAProblemInBothWaysWhenTheBrokerRefuses() {
    // given
    push("1", 0);
    broker.close();
    // when
    Reply refused = pop().expect(503);
    // then
    assertThat(refused.text("/code")).isEqualTo("CLOSED");
    assertThat(refused.text("/message")).isEqualTo(refused.text("/error"));
  }
}
