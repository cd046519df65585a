package io.holdfast.server.compat.priority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The four examples of the priority queue, call by call. */
class PriorityExamplesTest extends PriorityFixture {
  private static final double MILLISECOND = 0.001;

  @Test
  void shouldAcknowledgeWhatWasPopped() {
    // given
    Reply pushed =
        post(QUEUE + "/push", "{'item': {'task_id': 123, 'action': 'send_email'}}").expect(200);
    assertThat(pushed.flag("/success")).isTrue();
    assertThat(pushed.number("/items_pushed")).isEqualTo(1);
    // when
    Reply popped = popLocked();
    // then
    assertThat(items(popped)).containsExactly("{\"task_id\":123,\"action\":\"send_email\"}");
    assertThat(popped.flag("/locked")).isTrue();
    assertThat(lockOf(popped)).matches("[A-Za-z0-9_-]{11}");
    assertThat(popped.json().get("lock_expires_at").asDouble())
        .isCloseTo(nowSeconds() + 30, within(MILLISECOND));
    // when
    Reply acknowledged = acknowledge(lockOf(popped)).expect(200);
    // then
    assertThat(acknowledged.flag("/success")).isTrue();
    assertThat(acknowledged.text("/message")).isEqualTo("Items acknowledged successfully");
    assertThat(acknowledged.number("/items_acknowledged")).isEqualTo(1);
    assertThat(items(pop())).isEmpty();
  }

  @Test
  void shouldLockOutEveryOtherPop() {
    // given
    push("1", 0);
    push("2", 0);
    Reply first = post(QUEUE + "/pop?require_ack=true&count=1").expect(200);
    // when
    Reply second = pop();
    // then
    assertFailed(second, 423, "Queue is locked pending acknowledgement");
    assertThat(second.json().get("lock_expires_at")).isEqualTo(first.json().get("lock_expires_at"));
    assertThat(second.json().get("items").isEmpty()).isTrue();
    assertThat(second.number("/count")).isZero();
    assertThat(second.flag("/locked")).isTrue();
    // when
    acknowledge(lockOf(first)).expect(200);
    // then
    assertThat(items(pop())).containsExactly("2");
  }

  @Test
  void shouldGiveItemsBackWhenTheLockExpires() {
    // given
    push("{'id':1}".replace('\'', '"'), 0);
    Reply popped = post(QUEUE + "/pop?require_ack=true&ttl_seconds=5").expect(200);
    // when
    advanceSeconds(6);
    Reply late = acknowledge(lockOf(popped));
    // then
    assertFailed(late, 410, "Lock has expired");
    assertThat(late.text("/error_code")).isEqualTo("LOCK_EXPIRED");
    assertThat(items(popLocked())).containsExactly("{\"id\":1}");
  }

  @Test
  void shouldTakeItemsForGoodWithoutRequireAck() {
    // given
    for (int i = 1; i <= 5; i++) {
      push("{\"id\":" + i + "}", 0);
    }
    // when
    Reply popped = pop();
    // then
    assertThat(items(popped)).hasSize(5).startsWith("{\"id\":1}").endsWith("{\"id\":5}");
    assertThat(popped.json().propertyNames()).containsExactly("items", "count");
    // when
    restart();
    // then
    assertThat(pop().http().body()).isEqualTo("{\"items\":[],\"count\":0}");
  }
}
