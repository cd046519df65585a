package io.holdfast.server;

/** A server with a few verbs at hand: push, pop and ack as a client of Queen asks for them. */
public abstract class MessagesFixture extends ServerFixture {
  protected Reply push(String queue, String payload) {
    return post("/api/v1/push", "{'items':[{'queue':'" + queue + "','payload':" + payload + "}]}")
        .expect(201);
  }

  /** Pushes a message for each name, under that name and with it as payload. */
  protected void pushNamed(String queue, String... names) {
    for (String name : names) {
      post(
              "/api/v1/push",
              "{'items':[{'queue':'%s','transactionId':'%s','payload':'%s'}]}"
                  .formatted(queue, name, name))
          .expect(201);
    }
  }

  protected Reply configure(String queue, String options) {
    return post("/api/v1/configure", "{'queue':'" + queue + "','options':{" + options + "}}");
  }

  /** Pops what there must be. */
  protected Reply pop(String queue, String query) {
    return get("/api/v1/pop/queue/" + queue + query).expect(200);
  }

  protected Reply pop(String queue) {
    return pop(queue, "");
  }

  protected Reply ackFirst(Reply popped, String more) {
    return post("/api/v1/ack", "{" + handle(popped, 0) + more + "}").expect(200);
  }

  /** The fields that name a popped message in an ack. */
  protected static String handle(Reply popped, int index) {
    return unfenced(popped, index) + ",'leaseId':'" + popped.text("/leaseId") + "'";
  }

  protected static String unfenced(Reply popped, int index) {
    return "'transactionId':'%s','partitionId':'%s'"
        .formatted(
            popped.text("/messages/" + index + "/transactionId"),
            popped.text("/messages/" + index + "/partitionId"));
  }

  /** The payloads of a pop, one behind the other. */
  protected static String data(Reply popped) {
    StringBuilder all = new StringBuilder();
    popped.json().at("/messages").forEach(message -> all.append(message.at("/data").asString()));
    return all.toString();
  }

  protected void expectNothing(String queue, String reason) {
    Reply none = get("/api/v1/pop/queue/" + queue).expect(204);
    org.assertj.core.api.Assertions.assertThat(none.header("X-Holdfast-Reason")).isEqualTo(reason);
  }
}
