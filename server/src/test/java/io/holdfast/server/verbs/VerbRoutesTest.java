package io.holdfast.server.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.dead.DeadErrorsRequest;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.group.SubscribeRequest;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.LeasesRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.Position;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.RescheduleRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.LoadsRequest;
import io.holdfast.api.queue.PartitionsRequest;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.api.task.StartRequest;
import io.holdfast.api.task.TaskStatus;
import io.holdfast.api.task.TasksRequest;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import io.holdfast.server.ServerFixture;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The verbs as bytes: what they answer, and what becomes of bytes that mean nothing. */
@Tag("slow")
class VerbRoutesTest extends ServerFixture {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final int DAMAGED_REQUESTS = 150;
  private static final Handle HANDLE = new Handle("AAAAAAAAAAA", new Position(1, 0, 1));
  private static final MessageRef MESSAGE = MessageRef.id(UUID.randomUUID());
  private static final DeadLetterFilter DEAD =
      new DeadLetterFilter("q", "g", "p", UUID.randomUUID(), "error", 1, 2);

  /** A request of each verb that is as it should be. */
  static Map<Verb<?, ?>, byte[]> requests() {
    Map<Verb<?, ?>, byte[]> all = new LinkedHashMap<>();
    NewMessage message =
        NewMessage.to("q", new byte[20])
            .partition("p")
            .transactionId("t")
            .headers(Map.of("k", "v"))
            .delayMs(1_000);
    List<Settle> settles = List.of(Settle.nack(HANDLE, "failed").withRest());
    put(all, Verbs.PUSH, PushRequest.of(message, message).requestId("r"));
    put(all, Verbs.OPEN_SESSION, new Verbs.Nothing());
    put(all, Verbs.POP, PopRequest.partition("q", "p").batch(3).settles(settles).worker("w"));
    put(all, Verbs.SETTLE, SettleRequest.atomic(settles));
    put(all, Verbs.EXTEND, new ExtendRequest("AAAAAAAAAAA", 1_000, 0));
    put(all, Verbs.LEASE, new Verbs.Named("AAAAAAAAAAA"));
    put(all, Verbs.LEASES, new LeasesRequest("q", "g", null, 5));
    put(all, Verbs.START, new StartRequest(HANDLE, "w"));
    put(
        all,
        Verbs.COMMIT,
        new CommitRequest(
            List.of(
                new Operation.PushMessage(message, true),
                new Operation.AppendJournal("j", 0, List.of(new byte[3])),
                new Operation.PutRecord("k", 0, new byte[3])),
            "r"));
    put(all, Verbs.CANCEL, new CancelRequest(MESSAGE));
    put(all, Verbs.RESCHEDULE, new RescheduleRequest(MESSAGE, 5));
    put(
        all,
        Verbs.CONFIGURE,
        new ConfigureRequest("q", Map.of(QueueOption.TTL, 5, QueueOption.TRACK, true), false));
    put(all, Verbs.QUEUES, new QueuesRequest("q", "n", "t", "a", 5));
    put(all, Verbs.QUEUE, new Verbs.Named("q"));
    put(all, Verbs.LOADS, new LoadsRequest("a", 5));
    put(all, Verbs.PARTITIONS, new PartitionsRequest("q", "g", "a", 5));
    put(all, Verbs.BROWSE, BrowseRequest.queue("q"));
    put(all, Verbs.MESSAGE, MESSAGE);
    put(all, Verbs.DEAD_LETTERS, new DeadLettersRequest(DEAD, null, 5));
    put(all, Verbs.DEAD_ERRORS, new DeadErrorsRequest("q", null, 5));
    put(all, Verbs.REQUEUE, new RequeueRequest(DEAD, true));
    put(all, Verbs.REMOVE_DEAD_LETTERS, DEAD);
    put(all, Verbs.GROUPS, GroupsRequest.ofQueue("q"));
    put(all, Verbs.SEEK, new SeekRequest("q", "g", "p", new SeekRequest.To.Time(5)));
    put(all, Verbs.SUBSCRIBE_FROM, new SubscribeRequest("q", "g", new StartFrom.Time(5)));
    put(all, Verbs.DELETE_GROUP, new Verbs.GroupOfQueue("q", "g"));
    put(all, Verbs.PURGE, new PurgeRequest("q", "p"));
    put(all, Verbs.DELETE_QUEUE, new Verbs.Named("q"));
    put(all, Verbs.PAUSE, new Verbs.Pause("q", true));
    put(all, Verbs.TASK, MESSAGE);
    put(all, Verbs.TASKS, new TasksRequest("q", TaskStatus.RUNNING, null, 5));
    put(all, Verbs.JOURNAL, new JournalRequest("j", 0, 5));
    put(all, Verbs.RECORD, new RecordRequest("k", 0, 0));
    put(all, Verbs.RECORDS, new RecordsRequest("k", "a", 5));
    put(all, Verbs.STATS, new Verbs.Nothing());
    return all;
  }

  private static <I> void put(Map<Verb<?, ?>, byte[]> all, Verb<I, ?> verb, I request) {
    all.put(verb, verb.requestBytes(request));
  }

  private HttpResponse<byte[]> ask(Verb<?, ?> verb, byte[] body, String type) {
    HttpRequest request =
        HttpRequest.newBuilder(uri(Verbs.PATH + verb.name()))
            .POST(BodyPublishers.ofByteArray(body))
            .header("Content-Type", type)
            .build();
    try {
      return CLIENT.send(request, BodyHandlers.ofByteArray());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("expected an answer", e);
    }
  }

  private HttpResponse<byte[]> ask(Verb<?, ?> verb, byte[] body) {
    return ask(verb, body, Verbs.CONTENT_TYPE);
  }

  private static String text(HttpResponse<byte[]> reply) {
    return new String(reply.body(), StandardCharsets.UTF_8);
  }

  @Test
  void shouldDeliverAndSettle() {
    // given
    byte[] payload = "not JSON".getBytes(StandardCharsets.UTF_8);
    ask(Verbs.PUSH, Verbs.PUSH.requestBytes(PushRequest.of(NewMessage.to("q", payload))));
    // when
    Popped popped =
        Verbs.POP.answer(ask(Verbs.POP, Verbs.POP.requestBytes(PopRequest.queue("q"))).body());
    byte[] settles = Verbs.SETTLE.requestBytes(SettleRequest.of(Settle.ackAll(popped.leaseId())));
    HttpResponse<byte[]> settled = ask(Verbs.SETTLE, settles);
    // then
    assertThat(popped.messages().getFirst().message().payload()).isEqualTo(payload);
    assertThat(settled.statusCode()).isEqualTo(200);
    assertThat(Verbs.SETTLE.answer(settled.body()).allApplied()).isTrue();
    assertThat(settled.headers().firstValue("Content-Type")).hasValue(Verbs.CONTENT_TYPE);
  }

  @Test
  void shouldTellARefusalInItsOwnForm() {
    HttpResponse<byte[]> reply =
        ask(Verbs.QUEUE, Verbs.QUEUE.requestBytes(new Verbs.Named("none")));

    assertThat(reply.statusCode()).isEqualTo(404);
    assertThat(Verbs.refusal(reply.body()).code()).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void shouldHaveARequestOfEveryVerbHere() {
    assertThat(requests().keySet()).containsExactlyElementsOf(Verbs.ALL);
  }

  @TestFactory
  Stream<DynamicTest> shouldTakeARequestOfEachVerb() {
    return requests().entrySet().stream()
        .map(
            one ->
                dynamicTest(
                    one.getKey().name(),
                    () -> {
                      HttpResponse<byte[]> reply = ask(one.getKey(), one.getValue());
                      assertThat(reply.statusCode()).isIn(200, 404, 409);
                      assertThat(reply.headers().firstValue("Content-Type"))
                          .hasValue(Verbs.CONTENT_TYPE);
                    }));
  }

  @TestFactory
  Stream<DynamicTest> shouldRefuseAnotherContentType() {
    return requests().entrySet().stream()
        .map(
            one ->
                dynamicTest(
                    one.getKey().name(),
                    () -> {
                      HttpResponse<byte[]> reply =
                          ask(one.getKey(), one.getValue(), "application/json");
                      assertThat(reply.statusCode()).isEqualTo(415);
                      assertThat(text(reply)).contains("expected " + Verbs.CONTENT_TYPE);
                    }));
  }

  /** A record that ends before its first field: nothing is where something must be. */
  @TestFactory
  Stream<DynamicTest> shouldRefuseARequestWithoutFields() {
    // To ask these for nothing in particular means something.
    Set<Verb<?, ?>> askable = Set.of(Verbs.STATS, Verbs.PUSH, Verbs.GROUPS, Verbs.OPEN_SESSION);
    return Verbs.ALL.stream()
        .filter(verb -> !askable.contains(verb))
        .map(
            verb ->
                dynamicTest(
                    verb.name(),
                    () -> {
                      HttpResponse<byte[]> reply = ask(verb, new byte[] {1});
                      assertThat(reply.statusCode()).as(text(reply)).isEqualTo(400);
                      assertThat(text(reply)).contains("expected");
                    }));
  }

  @TestFactory
  Stream<DynamicTest> shouldSurviveDamagedRequestsOfEachVerb() {
    return requests().entrySet().stream()
        .map(one -> dynamicTest(one.getKey().name(), () -> damage(one.getKey(), one.getValue())));
  }

  private void damage(Verb<?, ?> verb, byte[] whole) {
    Random random = new Random(verb.name().hashCode());
    for (int i = 0; i < DAMAGED_REQUESTS; i++) {
      byte[] body = whole.clone();
      body[random.nextInt(body.length)] = (byte) random.nextInt();
      if (waits(verb, body)) {
        continue;
      }
      HttpResponse<byte[]> reply = ask(verb, body);
      assertThat(reply.statusCode()).as(text(reply)).isLessThan(500);
    }
    assertThat(get("/health/ready").status()).isEqualTo(200);
  }

  /** Whether damage has made a request that waits; the clock of this test stands still. */
  private static boolean waits(Verb<?, ?> verb, byte[] body) {
    try {
      return switch (verb.request(body)) {
        case PopRequest pop -> pop.waitMs() > 0;
        case ExtendRequest extend -> extend.waitMs() > 0;
        case RecordRequest record -> record.waitMs() > 0;
        default -> false;
      };
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }
}
