package io.holdfast.bench.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.api.lease.Settle.Outcome;
import io.holdfast.api.lease.SettleVerdict.Status;
import io.holdfast.bench.crash.CrashQueues.Place;
import io.holdfast.bench.http.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Does steps in one partition by asking a server, and remembers what it holds.
 *
 * <p>Thread: one at a time.
 */
final class HttpSteps {
  private static final int LEASE_SECONDS = 600;

  /** A message that is held, as an ack names it. */
  private record Held(String transactionId, String partitionId) {}

  private final Wire wire;
  private final Place place;
  private final Map<String, Held> held = new LinkedHashMap<>();
  private String lease = "";
  private long commits;

  HttpSteps(Wire wire, Place place) {
    this.wire = wire;
    this.place = place;
  }

  /** The names of the messages that are held. */
  List<String> held() {
    return List.copyOf(held.keySet());
  }

  /** How many commits were acknowledged: the position of the journal. */
  long commits() {
    return commits;
  }

  /**
   * Asks for a step.
   *
   * @return the words of the answer
   * @throws IOException if no answer came: the step is in doubt
   * @throws IllegalStateException if the answer was wrong
   */
  String attempt(Step step) throws IOException {
    return switch (step) {
      case Step.Push push -> push(push);
      case Step.Pop pop -> pop(pop);
      case Step.SettleHeld settle -> settle(settle);
      case Step.Extend extend -> extend();
      case Step.Commit commit -> commit(commit);
      case Step.Transaction both -> transact(both);
      case Step.WrongCommit wrong -> refuse(wrong);
    };
  }

  private String push(Step.Push push) throws IOException {
    List<String> items = new ArrayList<>();
    for (Step.Push.Item item : push.items()) {
      items.add(
          "{%s,\"delaySeconds\":%s%s}"
              .formatted(
                  message(item.name()),
                  item.delayMs() / 1000.0,
                  item.named() ? ",\"transactionId\":\"" + item.name() + "\"" : ""));
    }
    Wire.Reply reply = ask("/api/v1/push", "{\"items\":[" + String.join(",", items) + "]}", 201);
    List<String> ids = new ArrayList<>();
    for (Map<String, String> message : AnswerJson.objects(reply.body())) {
      expect("queued", message.get("status"));
      ids.add(String.valueOf(message.get("message_id")));
    }
    expect(items.size() + " answers", ids.size() + " answers");
    return String.join(" ", ids);
  }

  /** The fields of a message to push. */
  private String message(String name) {
    return "\"queue\":\"%s\",\"partition\":\"%s\",\"payloadBase64\":\"%s\""
        .formatted(place.queue(), place.partition(), base64(name));
  }

  private String pop(Step.Pop pop) throws IOException {
    if (!pop.acks().isEmpty()) {
      throw new IllegalArgumentException("step: expected a pop that acks nothing");
    }
    String path =
        "/api/v1/pop/queue/%s/partition/%s?batch=%d&leaseSeconds=%d"
            .formatted(place.queue(), place.partition(), pop.batch(), LEASE_SECONDS);
    Wire.Reply reply = wire.exchange("GET", path, Wire.NOTHING);
    if (reply.status() == 204) {
      return Step.NONE + " " + System.currentTimeMillis();
    }
    check(reply, 200);
    StringBuilder answer = new StringBuilder();
    for (Map<String, String> message : AnswerJson.objects(reply.body())) {
      lease = String.valueOf(message.get("leaseId"));
      if (answer.isEmpty()) {
        answer.append(lease).append(' ').append(System.currentTimeMillis());
      }
      String base64 = String.valueOf(message.get("dataBase64"));
      String name = new String(Base64.getDecoder().decode(base64), UTF_8);
      held.put(
          name,
          new Held(
              String.valueOf(message.get("transactionId")),
              String.valueOf(message.get("partitionId"))));
      answer.append(' ').append(name);
    }
    return answer.toString();
  }

  private String settle(Step.SettleHeld step) throws IOException {
    List<String> acks = new ArrayList<>();
    for (String name : step.names()) {
      acks.add("{" + settle(name, step.outcome()) + "," + fence() + "}");
    }
    Wire.Reply reply =
        ask("/api/v1/ack/batch", "{\"acknowledgments\":[" + String.join(",", acks) + "]}", 200);
    List<String> statuses = new ArrayList<>();
    for (Map<String, String> verdict : AnswerJson.objects(reply.body())) {
      statuses.add(status(String.valueOf(verdict.get("message"))).name());
    }
    expect(acks.size() + " answers", statuses.size() + " answers");
    step.names().forEach(held::remove);
    return String.join(" ", statuses);
  }

  /** The fields of a settle that names no lease. */
  private String settle(String name, Outcome outcome) {
    Held message = held.getOrDefault(name, new Held("", ""));
    return "\"transactionId\":\"%s\",\"partitionId\":\"%s\",\"status\":\"%s\""
        .formatted(message.transactionId(), message.partitionId(), word(outcome));
  }

  private String fence() {
    return "\"leaseId\":\"" + lease + "\"";
  }

  private String extend() throws IOException {
    Wire.Reply reply =
        ask("/api/v1/lease/" + lease + "/extend", "{\"seconds\":" + LEASE_SECONDS + "}", 200);
    Map<String, String> answer = AnswerJson.object(reply.body());
    expect("true", answer.get("success"));
    expect(Integer.toString(held.size()), answer.get("open"));
    return Step.NONE;
  }

  private String commit(Step.Commit step) throws IOException {
    String body = commitBody(step.ack(), step.position(), step.push());
    Wire.Reply reply = ask("/api/v1/commit", body, 200);
    String pushed = operations(reply, step.ack().equals(Step.NONE) ? 3 : 4);
    commits++;
    held.remove(step.ack());
    return pushed;
  }

  private String refuse(Step.WrongCommit step) throws IOException {
    String body = commitBody(step.ack(), step.position(), step.push());
    Wire.Reply reply = ask("/api/v1/commit", body, 409);
    expect("WRONG_POSITION", AnswerJson.object(reply.body()).get("code"));
    return Step.NONE;
  }

  private String commitBody(String ack, long position, String push) {
    List<String> operations = new ArrayList<>();
    if (!ack.equals(Step.NONE)) {
      operations.add("{\"type\":\"settle\"," + settle(ack, Outcome.ACK) + "," + fence() + "}");
    }
    String event = base64(Long.toString(position));
    operations.add("{\"type\":\"push\"," + message(push) + "}");
    operations.add(
        "{\"type\":\"putRecord\",\"key\":\"%s\",\"valueBase64\":\"%s\"}"
            .formatted(place.journal(), event));
    operations.add(
        "{\"type\":\"append\",\"journal\":\"%s\",\"expectedPosition\":%d,\"eventsBase64\":[\"%s\"]}"
            .formatted(place.journal(), position, event));
    return "{\"operations\":[" + String.join(",", operations) + "]}";
  }

  /** The acks name no lease: {@code requiredLeases} is their fence. */
  private String transact(Step.Transaction step) throws IOException {
    List<String> operations = new ArrayList<>();
    for (String name : step.acks()) {
      operations.add("{\"type\":\"ack\"," + settle(name, Outcome.ACK) + "}");
    }
    for (String name : step.pushes()) {
      operations.add("{\"type\":\"push\"," + message(name) + "}");
    }
    Wire.Reply reply =
        ask(
            "/api/v1/transaction",
            "{\"operations\":[%s],\"requiredLeases\":[\"%s\"]}"
                .formatted(String.join(",", operations), lease),
            200);
    expect("true", AnswerJson.object(reply.body()).get("success"));
    String pushed = operations(reply, operations.size());
    step.acks().forEach(held::remove);
    return pushed;
  }

  /** Checks what each operation did; answers the ids of what was pushed. */
  private static String operations(Wire.Reply reply, int expected) {
    List<Map<String, String>> results = AnswerJson.objects(reply.body());
    expect(expected + " results", results.size() + " results");
    List<String> ids = new ArrayList<>();
    for (Map<String, String> result : results) {
      switch (String.valueOf(result.get("type"))) {
        case "push" -> {
          expect("false", result.get("duplicate"));
          ids.add(String.valueOf(result.get("messageId")));
        }
        case "ack", "settle" -> expect("acknowledged", result.get("message"));
        default -> {}
      }
    }
    return String.join(" ", ids);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static String word(Outcome outcome) {
    return switch (outcome) {
      case ACK -> "completed";
      case NACK -> "failed";
      case RELEASE -> "release";
      case KILL -> "kill";
    };
  }

  private static Status status(String word) {
    return switch (word) {
      case "acknowledged" -> Status.ACKED;
      case "failed_retry" -> Status.RETRYING;
      case "failed_dlq" -> Status.DEAD;
      case "released" -> Status.RELEASED;
      default -> throw new IllegalStateException("expected a settle, but got " + word);
    };
  }

  private Wire.Reply ask(String path, String body, int expected) throws IOException {
    Wire.Reply reply = wire.exchange("POST", path, body.getBytes(UTF_8));
    check(reply, expected);
    return reply;
  }

  private static void check(Wire.Reply reply, int expected) {
    if (reply.status() != expected) {
      throw new IllegalStateException(reply.status() + " " + new String(reply.body(), UTF_8));
    }
  }

  private static void expect(String expected, @Nullable String actual) {
    if (!expected.equals(actual)) {
      throw new IllegalStateException("expected " + expected + ", but got " + actual);
    }
  }
}
