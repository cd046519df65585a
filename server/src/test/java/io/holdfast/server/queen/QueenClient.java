package io.holdfast.server.queen;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What Queen's JavaScript client sends for each of its calls, and what it makes of the answers,
 * from 0.15 on; where versions differ a method says which one it is.
 */
final class QueenClient {
  private static final String DEFAULT = "Default";
  private static final long TIMEOUT_MS = 30_000;

  /** What an ack came to. */
  record Acked(boolean success, @Nullable String error, List<JsonNode> results) {}

  /** The settings of {@code queue(...)} for pops; null is what nobody has set. */
  static final class Pop {
    private final @Nullable String queue;
    private @Nullable String partition;
    private @Nullable String namespace;
    private @Nullable String task;
    private @Nullable String group;
    private int batch = 1;
    private int partitions = 1;
    private boolean waits;
    private long timeoutMs = TIMEOUT_MS;
    private boolean autoAck;
    private @Nullable String mode;
    private @Nullable String from;
    private boolean autopilot;

    private Pop(@Nullable String queue) {
      this.queue = queue;
    }

    static Pop queue(@Nullable String name) {
      return new Pop(name);
    }

    Pop partition(String name) {
      partition = name;
      return this;
    }

    Pop tags(@Nullable String itsNamespace, @Nullable String itsTask) {
      namespace = itsNamespace;
      task = itsTask;
      return this;
    }

    Pop group(String name) {
      group = name;
      return this;
    }

    Pop batch(int most, int mostPartitions) {
      batch = most;
      partitions = mostPartitions;
      return this;
    }

    Pop waiting(long millis) {
      waits = true;
      timeoutMs = millis;
      return this;
    }

    Pop autoAck() {
      autoAck = true;
      return this;
    }

    Pop subscription(@Nullable String itsMode, @Nullable String itsFrom) {
      mode = itsMode;
      from = itsFrom;
      return this;
    }

    /** From 1.2 on: sizes that nobody set are left to the server. */
    Pop autopilot() {
      autopilot = true;
      return this;
    }

    private boolean isNamed() {
      return queue != null && !queue.isEmpty();
    }

    /** Names of queues and partitions are not encoded. */
    private String path() {
      if (!isNamed()) {
        return "/api/v1/pop";
      }
      return partition == null || partition.equals(DEFAULT)
          ? "/api/v1/pop/queue/" + queue
          : "/api/v1/pop/queue/" + queue + "/partition/" + partition;
    }

    private String query() {
      Map<String, @Nullable Object> params = new LinkedHashMap<>();
      params.put("autopilot", autopilot ? "true" : null);
      params.put("batch", autopilot ? null : batch);
      params.put("wait", waits);
      params.put("timeout", timeoutMs);
      params.put("consumerGroup", group);
      params.put("namespace", namespace);
      params.put("task", task);
      params.put("autoAck", autoAck ? "true" : null);
      params.put("subscriptionMode", mode);
      params.put("subscriptionFrom", from);
      params.put("partitions", partitions > 1 ? partitions : null);
      return QueenClient.query(params);
    }

    private String affinityKey() {
      String who = group == null ? "__QUEUE_MODE__" : group;
      return isNamed()
          ? queue + ":" + (partition == null ? "*" : partition) + ":" + who
          : (namespace == null ? "*" : namespace) + ":" + (task == null ? "*" : task) + ":" + who;
    }
  }

  private final QueenHttp http;

  QueenClient(QueenHttp http) {
    this.http = http;
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String query(Map<String, ? extends @Nullable Object> params) {
    StringBuilder query = new StringBuilder();
    params.forEach(
        (name, value) -> {
          if (value != null) {
            query.append(query.isEmpty() ? "?" : "&").append(name).append('=');
            query.append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
          }
        });
    return query.toString();
  }

  // Queues.

  /** {@code queue(name).config(options).create()}: nine options are always sent. */
  JsonNode create(String name, Map<String, Object> options) {
    return create(name, null, null, options);
  }

  JsonNode create(
      String name, @Nullable String namespace, @Nullable String task, Map<String, Object> options) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("leaseTime", 300);
    all.put("retryLimit", 3);
    all.put("priority", 0);
    all.put("delayedProcessing", 0);
    all.put("windowBuffer", 0);
    all.put("maxSize", 0);
    all.put("retentionSeconds", 0);
    all.put("completedRetentionSeconds", 0);
    all.put("encryptionEnabled", false);
    all.putAll(options);
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("queue", name);
    body.put("namespace", namespace);
    body.put("task", task);
    body.put("options", all);
    return done(http.post("/api/v1/configure", body));
  }

  JsonNode delete(String name) {
    return done(http.delete("/api/v1/resources/queues/" + encoded(name)));
  }

  /** An answer that has to be there, and must not have an error at its top. */
  private static JsonNode done(@Nullable JsonNode answer) {
    if (answer == null) {
      throw new QueenHttp.Failure(0, "no answer");
    }
    if (answer.path("error").isString()) {
      throw new QueenHttp.Failure(200, answer.get("error").asString());
    }
    return answer;
  }

  // Push.

  /** An item of a push: the payload is {@code data}; without a name the client makes one. */
  static Map<String, @Nullable Object> item(@Nullable Object data, @Nullable String name) {
    Map<String, @Nullable Object> item = new LinkedHashMap<>();
    item.put("payload", data);
    item.put("transactionId", name == null ? UUID.randomUUID().toString() : name);
    return item;
  }

  /** Pushes items; the answer has the status of each. */
  @SafeVarargs
  final JsonNode pushItems(String queue, String partition, Map<String, @Nullable Object>... items) {
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    for (Map<String, @Nullable Object> item : items) {
      Map<String, @Nullable Object> sent = new LinkedHashMap<>();
      sent.put("queue", queue);
      sent.put("partition", partition);
      sent.putAll(item);
      all.add(sent);
    }
    JsonNode results = done(http.post("/api/v1/push", Map.of("items", all)));
    if (!results.isArray()) {
      throw new AssertionError("expected an array, but got " + results);
    }
    for (JsonNode result : results) {
      if (result.path("status").asString().equals("failed")) {
        throw new QueenHttp.Failure(201, result.path("error").asString());
      }
    }
    return results;
  }

  JsonNode push(String queue, String... names) {
    JsonNode last = null;
    for (String name : names) {
      last = pushItems(queue, DEFAULT, item(Map.of("name", name), name));
    }
    return done(last);
  }

  // Pop and consume.

  /** {@code pop()}: any failure is an empty list. */
  List<JsonNode> pop(Pop pop) {
    try {
      return messages(http.poll(pop.path() + pop.query(), pop.timeoutMs, pop.affinityKey()));
    } catch (QueenHttp.Failure swallowed) {
      return List.of();
    }
  }

  private static List<JsonNode> messages(@Nullable JsonNode answer) {
    List<JsonNode> messages = new ArrayList<>();
    if (answer != null) {
      answer.path("messages").forEach(messages::add);
    }
    return messages;
  }

  /**
   * {@code consume(handler)} until a pop without waiting finds nothing: what the handler takes is
   * acked, what it refuses is nacked, all of a batch alike.
   *
   * @return what was popped
   */
  List<JsonNode> consume(Pop pop, Predicate<List<JsonNode>> handler) {
    List<JsonNode> all = new ArrayList<>();
    List<JsonNode> messages =
        messages(http.poll(pop.path() + pop.query(), pop.timeoutMs, pop.affinityKey()));
    while (!messages.isEmpty()) {
      all.addAll(messages);
      boolean done = handler.test(messages);
      Acked acked = ack(messages, done ? "completed" : "failed", pop.group, done ? null : "no");
      if (!acked.success()) {
        throw new AssertionError("not acked: " + acked);
      }
      messages = messages(http.poll(pop.path() + pop.query(), pop.timeoutMs, pop.affinityKey()));
    }
    return all;
  }

  // Ack.

  private static Map<String, @Nullable Object> ackOf(
      JsonNode message, String status, @Nullable String error) {
    Map<String, @Nullable Object> ack = new LinkedHashMap<>();
    ack.put("transactionId", message.get("transactionId").asString());
    ack.put("partitionId", message.get("partitionId").asString());
    ack.put("status", status);
    ack.put("error", error);
    return ack;
  }

  private static void fence(Map<String, @Nullable Object> ack, JsonNode message) {
    String lease = message.path("leaseId").asString("");
    if (!lease.isEmpty()) {
      ack.put("leaseId", lease);
    }
  }

  /** {@code ack(message, ...)}: error and group are always sent. */
  Acked ack(JsonNode message, String status, @Nullable String group, @Nullable String error) {
    Map<String, @Nullable Object> body = ackOf(message, status, error);
    body.put("consumerGroup", group);
    fence(body, message);
    return acked(http.post("/api/v1/ack", body), 1);
  }

  /** {@code ack([messages], ...)}. */
  Acked ack(
      List<JsonNode> messages, String status, @Nullable String group, @Nullable String error) {
    List<Map<String, @Nullable Object>> acks = new ArrayList<>();
    for (JsonNode message : messages) {
      Map<String, @Nullable Object> ack = ackOf(message, status, error);
      fence(ack, message);
      acks.add(ack);
    }
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("acknowledgments", acks);
    body.put("consumerGroup", group);
    return acked(http.post("/api/v1/ack/batch", body), acks.size());
  }

  /** As clients from 1.0 on read it: an array with a result for each ack, or it is an error. */
  private static Acked acked(@Nullable JsonNode answer, int expected) {
    if (answer == null || !answer.isArray() || answer.size() != expected) {
      throw new AssertionError("expected an array of " + expected + ", but got " + answer);
    }
    List<JsonNode> results = new ArrayList<>();
    String error = null;
    for (JsonNode result : answer) {
      results.add(result);
      String why = result.path("error").asString("");
      if (!result.path("success").asBoolean(true) || !why.isEmpty()) {
        error = why.isEmpty() ? "rejected" : why;
      }
    }
    return new Acked(error == null, error, results);
  }

  /** {@code renew(messages)}: one call for each lease; the body is an empty object. */
  List<String> renew(List<JsonNode> messages) {
    Set<String> leases = new LinkedHashSet<>();
    messages.forEach(message -> leases.add(message.path("leaseId").asString()));
    List<String> expiries = new ArrayList<>();
    for (String lease : leases) {
      JsonNode renewed = done(http.post("/api/v1/lease/" + lease + "/extend", Map.of()));
      expiries.add(
          renewed.has("leaseId")
              ? renewed.path("newExpiresAt").asString()
              : renewed.path("lease_expires_at").asString());
    }
    return expiries;
  }

  // Transactions.

  /** A transaction being put together. */
  final class Transaction {
    private final List<Object> operations = new ArrayList<>();
    private final Set<String> leases = new LinkedHashSet<>();

    /** The lease of the message is sent beside the operations only. */
    Transaction ack(JsonNode message, String status, @Nullable String group) {
      Map<String, Object> ack = new LinkedHashMap<>();
      ack.put("type", "ack");
      ack.put("transactionId", message.get("transactionId").asString());
      ack.put("partitionId", message.get("partitionId").asString());
      ack.put("status", status);
      if (group != null) {
        ack.put("consumerGroup", group);
      }
      operations.add(ack);
      leases.add(message.path("leaseId").asString());
      return this;
    }

    /** From 0.15 without, from 1.0 on with names of the messages. */
    Transaction push(String queue, @Nullable String partition, Object data, @Nullable String name) {
      Map<String, @Nullable Object> item = new LinkedHashMap<>();
      item.put("queue", queue);
      item.put("payload", data);
      if (name != null) {
        item.put("transactionId", name);
      }
      if (partition != null) {
        item.put("partition", partition);
      }
      operations.add(Map.of("type", "push", "items", List.of(item)));
      return this;
    }

    /** Fails unless success is true. */
    JsonNode commit() {
      JsonNode result =
          http.post(
              "/api/v1/transaction",
              Map.of("operations", operations, "requiredLeases", List.copyOf(leases)));
      if (result == null || !result.path("success").asBoolean(false)) {
        throw new QueenHttp.Failure(
            200, result == null ? "no answer" : result.path("error").asString("none"));
      }
      return result;
    }
  }

  Transaction transaction() {
    return new Transaction();
  }

  // The rest.

  /** {@code queue(name).dlq(group).get()}: a failure is an empty list. */
  List<JsonNode> deadLetters(String queue, @Nullable String group, int limit, int offset) {
    Map<String, @Nullable Object> params = new LinkedHashMap<>();
    params.put("queue", queue);
    params.put("limit", limit);
    params.put("offset", offset);
    params.put("consumerGroup", group);
    params.put("from", "2020-01-01T00:00:00.000Z");
    params.put("to", "2100-01-01T00:00:00.000Z");
    return messages(http.get("/api/v1/dlq" + query(params)));
  }

  /** {@code message.trace(...)}. */
  JsonNode trace(JsonNode message, @Nullable String group, List<String> names, Object data) {
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("transactionId", message.get("transactionId").asString());
    body.put("partitionId", message.get("partitionId").asString());
    body.put("consumerGroup", group == null ? "__QUEUE_MODE__" : group);
    body.put("traceNames", names.isEmpty() ? null : names);
    body.put("eventType", "info");
    body.put("data", data);
    return done(http.post("/api/v1/traces", body));
  }

  /** A call of {@code admin}. */
  JsonNode admin(String path) {
    return done(http.get(path));
  }

  JsonNode adminPost(String path, Object body) {
    return done(http.post(path, body));
  }

  JsonNode adminDelete(String path) {
    return done(http.delete(path));
  }
}
