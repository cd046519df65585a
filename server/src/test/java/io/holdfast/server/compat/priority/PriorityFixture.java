package io.holdfast.server.compat.priority;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.ServerFixture;
import java.util.List;

/** The words of the priority queue, for its tests. */
abstract class PriorityFixture extends ServerFixture {
  static final String QUEUE = "/queue/my-queue";

  void push(String item, int priority) {
    post(QUEUE + "/push", "{'item':" + item + ",'priority':" + priority + "}").expect(200);
  }

  Reply pop() {
    return post(QUEUE + "/pop");
  }

  Reply popLocked() {
    return post(QUEUE + "/pop?require_ack=true");
  }

  Reply acknowledge(String lockId) {
    return acknowledge(QUEUE, lockId);
  }

  Reply acknowledge(String queue, String lockId) {
    return post(queue + "/acknowledge", "{'lock_id':'" + lockId + "'}");
  }

  static String lockOf(Reply popped) {
    return popped.expect(200).text("/lock_id");
  }

  static List<String> items(Reply popped) {
    List<String> items =
        popped.expect(200).json().get("items").valueStream().map(Object::toString).toList();
    assertThat(popped.number("/count")).isEqualTo(items.size());
    return items;
  }

  static void assertFailed(Reply reply, int status, String message) {
    reply.expect(status);
    assertThat(reply.json().get("success").asBoolean()).isFalse();
    assertThat(reply.text("/message")).isEqualTo(message);
    assertThat(reply.text("/error")).isEqualTo(message);
    assertThat(reply.text("/code")).isNotEmpty();
  }

  double nowSeconds() {
    return clock.wallMs() / 1000.0;
  }
}
