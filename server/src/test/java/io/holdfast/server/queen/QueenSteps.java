package io.holdfast.server.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.server.ServerFixture;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import tools.jackson.databind.JsonNode;

/** The steps that most stories about a queue are made of. */
public abstract class QueenSteps extends ServerFixture {
  /** Sets options as name and value in turn. */
  protected void configure(String queue, Object... options) {
    ConfigureRequest request = ConfigureRequest.queue(queue);
    for (int i = 0; i < options.length; i += 2) {
      request = request.set(QueueOption.named((String) options[i]), options[i + 1]);
    }
    broker.configure(request).orThrow();
  }

  /** Pushes a message of that name whose payload says the name; answers its id. */
  protected String push(String queue, String partition, String name) {
    return post(
            "/api/v1/push",
            "{'items':[{'queue':'%s','partition':'%s','transactionId':'%s','payload':{'n':'%s'}}]}"
                .formatted(queue, partition, name, name))
        .expect(201)
        .text("/0/message_id");
  }

  protected Reply pop(String queue, String more) {
    return get("/api/v1/pop/queue/" + queue + "?" + more);
  }

  /** Settles one message of a pop, fenced by its lease. */
  protected Reply settle(Reply popped, int index, String more) {
    return post("/api/v1/ack", item(popped, index, more)).expect(200);
  }

  /** One message of a pop as an ack names it. */
  protected static String item(Reply popped, int index, String more) {
    String at = "/messages/" + index;
    return "{'transactionId':'%s','partitionId':'%s','leaseId':'%s'%s}"
        .formatted(
            popped.text(at + "/transactionId"),
            popped.text(at + "/partitionId"),
            popped.text("/leaseId"),
            more);
  }

  /** Makes the next message of a queue a dead letter of a group. */
  protected void bury(String queue, String group, String error) {
    Reply popped = pop(queue, "consumerGroup=" + group).expect(200);
    Reply killed = settle(popped, 0, ",'status':'dlq','error':'" + error + "'");
    assertThat(killed.text("/message")).isEqualTo("failed_dlq");
  }

  protected static List<String> texts(Reply reply, String array, String field) {
    List<String> texts = new ArrayList<>();
    for (JsonNode element : reply.json().at(array)) {
      texts.add(element.at(field).asString());
    }
    return texts;
  }

  protected static List<String> names(Reply reply) {
    return texts(reply, "/messages", "/transactionId");
  }

  protected static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** What the broker does by itself, it does a moment after its time has come. */
  protected static void eventually(ThrowingRunnable assertion) {
    Awaitility.await().untilAsserted(assertion);
  }
}
