package io.holdfast.bench.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.api.Settle.Outcome;
import io.holdfast.api.SettleVerdict.Status;
import io.holdfast.bench.crash.CrashQueues.Place;
import io.holdfast.bench.http.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * One client of a server: it does steps at random in a partition of its own, over one connection,
 * and notes each before it asks and its answer before it goes on. A step whose answer did not come
 * stays in doubt.
 *
 * <p>Thread: one at a time.
 */
final class HttpCrashWorker {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int LEASE_SECONDS = 600;
  private static final int HOUR_MS = 3_600_000;
  private static final int BATCH_MAX = 5;

  /** A message that is held, as an ack names it. */
  private record Held(String transactionId, String partitionId) {}

  private final Wire wire;
  private final int number;
  private final Place place;
  private final CrashWorker.Log log;
  private final Random random;
  private final Map<String, Held> held = new LinkedHashMap<>();
  private String lease = "";
  private long next;

  HttpCrashWorker(Wire wire, int round, int number, long seed, CrashWorker.Log log) {
    this.wire = wire;
    this.number = number;
    this.place = Place.of(round, number);
    this.log = log;
    this.random = new Random(seed);
  }

  /** Works until the server is gone or an answer is wrong, or for a number of steps. */
  void work(long stepsMax) {
    for (long i = 0; i < stepsMax; i++) {
      Step step = choose();
      log.write(new Line(number, Line.Kind.TRY, step.text()));
      String answer;
      try {
        answer = attempt(step);
      } catch (IOException gone) {
        return;
      } catch (RuntimeException e) {
        log.write(new Line(number, Line.Kind.WRONG, step.text() + " answered " + e));
        return;
      }
      log.write(new Line(number, Line.Kind.DONE, answer));
    }
  }

  private Step choose() {
    int dice = random.nextInt(100);
    if (held.isEmpty()) {
      return dice < 55 ? choosePush() : new Step.Pop(1 + random.nextInt(BATCH_MAX), List.of());
    }
    List<String> names = List.copyOf(held.keySet());
    List<String> one = List.of(names.get(random.nextInt(names.size())));
    if (dice < 30) {
      return choosePush();
    }
    if (dice < 60) {
      return new Step.SettleHeld(Outcome.ACK, names);
    }
    if (dice < 75) {
      return new Step.SettleHeld(Outcome.ACK, one);
    }
    if (dice < 88) {
      return new Step.SettleHeld(Outcome.NACK, one);
    }
    return new Step.SettleHeld(dice < 95 ? Outcome.RELEASE : Outcome.KILL, one);
  }

  private Step choosePush() {
    List<Step.Push.Item> items = new ArrayList<>();
    int dice = random.nextInt(10);
    if (dice == 0) {
      // Alone, because one that was not answered has no id to look for.
      items.add(new Step.Push.Item(newName(), HOUR_MS, random.nextBoolean()));
    } else {
      int count = 1 + random.nextInt(BATCH_MAX);
      for (int i = 0; i < count; i++) {
        items.add(new Step.Push.Item(newName(), dice == 1 ? 100 : 0, dice > 5));
      }
    }
    return new Step.Push(System.currentTimeMillis(), items);
  }

  private String newName() {
    return place.partition() + "-" + next++;
  }

  private String attempt(Step step) throws IOException {
    return switch (step) {
      case Step.Push push -> push(push);
      case Step.Pop pop -> pop(pop);
      case Step.SettleHeld settle -> settle(settle);
      case Step.Extend extend -> throw new IllegalArgumentException("step: not over HTTP");
      case Step.Commit commit -> throw new IllegalArgumentException("step: not over HTTP");
      case Step.WrongCommit wrong -> throw new IllegalArgumentException("step: not over HTTP");
    };
  }

  private String push(Step.Push push) throws IOException {
    List<String> items = new ArrayList<>();
    for (Step.Push.Item item : push.items()) {
      items.add(
          "{\"queue\":\"%s\",\"partition\":\"%s\",\"payloadBase64\":\"%s\",\"delaySeconds\":%s%s}"
              .formatted(
                  place.queue(),
                  place.partition(),
                  Base64.getEncoder().encodeToString(item.name().getBytes(UTF_8)),
                  item.delayMs() / 1000.0,
                  item.named() ? ",\"transactionId\":\"" + item.name() + "\"" : ""));
    }
    Wire.Reply reply = ask("/api/v1/push", "{\"items\":[" + String.join(",", items) + "]}", 201);
    List<String> ids = new ArrayList<>();
    for (Map<String, String> message : objects(reply.body())) {
      expect("queued", message.get("status"));
      ids.add(String.valueOf(message.get("message_id")));
    }
    expect(items.size() + " answers", ids.size() + " answers");
    return String.join(" ", ids);
  }

  private String pop(Step.Pop pop) throws IOException {
    String path =
        "/api/v1/pop/queue/%s/partition/%s?batch=%d&leaseSeconds=%d"
            .formatted(place.queue(), place.partition(), pop.batch(), LEASE_SECONDS);
    Wire.Reply reply = wire.exchange("GET", path, Wire.NOTHING);
    if (reply.status() == 204) {
      return Step.NONE + " " + System.currentTimeMillis();
    }
    check(reply, 200);
    StringBuilder answer = new StringBuilder();
    for (Map<String, String> message : objects(reply.body())) {
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
      Held message = held.getOrDefault(name, new Held("", ""));
      acks.add(
          "{\"transactionId\":\"%s\",\"partitionId\":\"%s\",\"leaseId\":\"%s\",\"status\":\"%s\"}"
              .formatted(
                  message.transactionId(), message.partitionId(), lease, word(step.outcome())));
    }
    Wire.Reply reply =
        ask("/api/v1/ack/batch", "{\"acknowledgments\":[" + String.join(",", acks) + "]}", 200);
    List<String> statuses = new ArrayList<>();
    for (Map<String, String> verdict : objects(reply.body())) {
      statuses.add(status(String.valueOf(verdict.get("message"))).name());
    }
    expect(acks.size() + " answers", statuses.size() + " answers");
    step.names().forEach(held::remove);
    return String.join(" ", statuses);
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

  /** The plain fields of each object in the innermost array of an answer. */
  private static List<Map<String, String>> objects(byte[] body) {
    List<Map<String, String>> objects = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
      boolean inArray = false;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.START_ARRAY) {
          inArray = true;
        } else if (token == JsonToken.START_OBJECT && inArray) {
          objects.add(fields(parser));
        }
      }
    }
    return objects;
  }

  private static Map<String, String> fields(JsonParser parser) {
    Map<String, String> fields = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (value.isScalarValue()) {
        fields.put(name, parser.getString());
      } else {
        parser.skipChildren();
      }
    }
    return fields;
  }
}
