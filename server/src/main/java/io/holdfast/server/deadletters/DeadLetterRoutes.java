package io.holdfast.server.deadletters;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.queue.Affected;
import io.holdfast.json.Field;
import io.holdfast.json.Fields;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.access.Audit;
import io.holdfast.server.access.Caller;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Authority;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Pass;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import io.holdfast.server.jobs.Job;
import io.holdfast.server.jobs.JobRoutes;
import io.holdfast.server.jobs.Jobs;
import io.holdfast.server.messages.MessageItem;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Delivers dead letters again, and removes them. */
public final class DeadLetterRoutes {
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};
  private static final int PER_SECOND_MAX = 1_000;
  private static final Field<Boolean> BACKGROUND =
      Field.flag("background", "Answer at once, with a job that goes on.");

  private static final Field<String> QUEUE =
      Field.required("queue", Json.QUEUE, "The queue.").missing("queue is required");
  private static final Fields FILTER = DeadLetterListRoute.OF_QUEUE.after(QUEUE);
  private static final Field<Boolean> DRY_RUN = Field.flag("dryRun", "Only count.");
  private static final Field<Integer> PER_SECOND =
      Field.optional(
          "perSecond",
          Json.integer(1, PER_SECOND_MAX),
          0,
          "No more than so many a second: a job does it.");
  private static final JsonType<Values> REQUEUE =
      Json.object(in -> in, FILTER.and(DRY_RUN, PER_SECOND, BACKGROUND));

  private static final Field<String> GROUP =
      Field.text("consumerGroup", "Only for this group; else for all it applies to.");
  private static final Field<Optional<byte[]>> PAYLOAD =
      Field.optional(
          "payload",
          Json.orNull(Json.ANY),
          "Push this in its place, as a new message to all groups of the queue.");
  private static final Field<byte[]> PAYLOAD_BASE64 =
      Field.optional("payloadBase64", Json.BASE64, "The same for bytes that are not JSON.");
  private static final Field<Boolean> ALL_GROUPS =
      Field.flag(
          "allGroups", "With a payload: has to be true if the queue has several groups, else 409.");
  private static final JsonType<Values> REPLAY =
      Json.object(in -> in, GROUP, PAYLOAD, PAYLOAD_BASE64, ALL_GROUPS);

  /** Dead letters that were requeued. */
  private record Requeued(RequeueRequest request, long count) {}

  private static final JsonType<Requeued> REQUEUED =
      JsonObject.of(Requeued.class)
          .flag("success", requeued -> true, "true.")
          .queue("queue", requeued -> requeued.request().filter().queue(), "The queue.")
          .flag("dryRun", requeued -> requeued.request().dryRun(), "Whether nothing was done.")
          .whole("requeued", Requeued::count, "How many; with dryRun, how many it would be.")
          .type();

  /**
   * A dead letter that was requeued, replaced or removed.
   *
   * @param group null for all
   */
  private record Changed(
      Message message,
      @Nullable String group,
      String result,
      long count,
      @Nullable UUID replacedBy) {
    Changed {
      if (count == 0) {
        throw unknown();
      }
    }

    String name() {
      return MessageItem.nameOf(message);
    }
  }

  private static final JsonType<Changed> CHANGED =
      JsonObject.of(Changed.class)
          .flag("success", changed -> true, "true.")
          .field(
              "result",
              Json.word("moved", "deleted", "replaced"),
              Changed::result,
              "What became of it.")
          .whole("count", Changed::count, "For how many groups.")
          .id("dlqId", changed -> changed.message().id(), "The message's id.")
          .id("messageId", changed -> changed.message().id(), "The same.")
          .text("transactionId", Changed::name, "Its name, or else its id.")
          .text("originalTransactionId", Changed::name, "The same.")
          .queue("queue", changed -> changed.message().queue(), "Its queue.")
          .text("partition", changed -> changed.message().partition(), "Its partition.")
          .textOrNull("consumerGroup", Changed::group, "The group, or null for all.")
          .flag("dlqRowRemoved", changed -> true, "true.")
          .optional(
              "replacedBy", Json.ID, Changed::replacedBy, "The id of the message that was pushed.")
          .type();

  /** Dead letters that were removed. */
  private record Removed(DeadLetterFilter filter, long count) {}

  private static final JsonType<Removed> REMOVED =
      JsonObject.of(Removed.class)
          .flag("success", removed -> true, "true.")
          .whole("deleted", Removed::count, "How many.")
          .queue("queue", removed -> removed.filter().queue(), "The queue.")
          .textOrNull(
              "consumerGroup", removed -> removed.filter().group(), "The group, or null for all.")
          .type();

  private final Jobs jobs;

  public DeadLetterRoutes(Jobs jobs) {
    this.jobs = jobs;
  }

  public List<Route> routes() {
    return Route.about(
        DeadLetterListRoute.TOPIC,
        Route.post("/api/v1/dlq/requeue", Access.CONSUME)
            .summary("Deliver dead letters of a queue again: one, some or all")
            .auditedInside("requeue", "requeue-job")
            .asking(Authority.CALLER, Authority.SERVER)
            .body(REQUEUE)
            .doing(this::requeue)
            .answers(
                200, "each is back in its own group, at its old place, with no failures", REQUEUED)
            .answers(202, "a job does it", JobRoutes.ONE),
        Route.post("/api/v1/dlq/{id}/replay", Access.CONSUME)
            .summary("Deliver a dead letter again, by the id of its message, as it is or changed")
            .auditedInside("requeue", "remove-dead-letters")
            .asking(Authority.CALLER, Authority.ROUTE)
            .bodyIfAny(REPLAY)
            .answers(
                "it is back at its old place, with no failures; or with a payload, it is gone and a"
                    + " new message is pushed",
                CHANGED,
                DeadLetterRoutes::replay),
        Route.delete("/api/v1/dlq/{id}", Access.ADMIN)
            .summary("Remove a dead letter, by the id of its message")
            .auditedInside("remove-dead-letters")
            .query(DeadLetterListRoute.GROUP)
            .answers("it is gone", CHANGED, DeadLetterRoutes::remove),
        Route.delete("/api/v1/dlq", Access.ADMIN)
            .summary("Remove dead letters of a queue")
            .auditedInside("remove-dead-letters", "remove-job")
            .asking(Authority.CALLER, Authority.SERVER)
            .query(FILTER.and(BACKGROUND))
            .doing(this::clear)
            .answers(202, "a job does it", JobRoutes.ONE)
            .answers(200, "they are gone", REMOVED));
  }

  private Answer requeue(Call call) {
    Values in = call.json(REQUEUE);
    DeadLetterFilter filter = DeadLetterListRoute.filter(in, in.get(QUEUE));
    RequeueRequest request = new RequeueRequest(filter, in.get(DRY_RUN));
    int perSecond = in.get(PER_SECOND);
    if (!request.dryRun() && (in.get(BACKGROUND) || perSecond > 0)) {
      Broker server = call.broker(Authority.SERVER);
      return begin(
          call, "requeue", filter, perSecond, one -> server.requeue(RequeueRequest.of(one)));
    }
    long count = call.ask(Broker::requeue, request).count();
    return Answer.ok(REQUEUED, new Requeued(request, count));
  }

  /** Has a job act on dead letters; who asks may, because the count is asked in their name. */
  private Answer begin(
      Call call,
      String kind,
      DeadLetterFilter filter,
      int perSecond,
      Function<DeadLetterFilter, Result<Affected>> act) {
    long total = call.ask(Broker::requeue, new RequeueRequest(filter, true)).count();
    // A job goes on after its caller was answered.
    DeadLetterWalk walk =
        new DeadLetterWalk(call.broker(Authority.SERVER), filter, call.nowMs(), act);
    Pass pass = Caller.lasting();
    Job job =
        jobs.start(
            new Jobs.Order(
                kind,
                filter.queue(),
                total,
                perSecond,
                pass,
                changed -> pass.as(() -> audit(filter, changed))),
            walk);
    return Answer.json(202, JobRoutes.ONE, job);
  }

  /** Writes that a job begins, or how it ended, in the name of whoever started it. */
  private static boolean audit(DeadLetterFilter filter, Job job) {
    boolean begins = job.state() == Job.State.RUNNING;
    Audit.of(job.order().kind() + "-job")
        .put("queue", filter.queue())
        .put("group", filter.group())
        .put("job", job.id())
        .put("total", job.order().total())
        .put("count", begins ? null : job.done())
        .result(begins ? "STARTED" : job.state().name());
    return begins;
  }

  /** The message that the path names. */
  private static Message find(Call call) {
    UUID id = Json.ID.parse(call.part("id"));
    if (id == null) {
      throw unknown();
    }
    Result<MessageDetail> found = call.broker().message(MessageRef.id(id));
    if (!found.isOk() && found.refusal().code() == ErrorCode.NOT_FOUND) {
      throw unknown();
    }
    return Refusals.orThrow(found).message();
  }

  /** The dead letters of a message, for a group or for all. */
  private static DeadLetterFilter filter(Message message, @Nullable String group) {
    return new DeadLetterFilter(
        message.queue(), group, null, message.id(), null, 0, Long.MAX_VALUE);
  }

  private static Problem unknown() {
    return Problem.notFound("there is no dead letter of that id");
  }

  private static Changed replay(Call call) {
    Values in = call.jsonOrEmpty(REPLAY);
    byte[] payload = payload(in);
    String group = in.find(GROUP);
    Message message = find(call);
    if (payload != null) {
      checkGroups(call, message.queue(), in.get(ALL_GROUPS));
      return replaced(call, message, group, payload);
    }
    RequeueRequest request = RequeueRequest.of(filter(message, group));
    return new Changed(message, group, "moved", call.ask(Broker::requeue, request).count(), null);
  }

  /** The payload of the message that replaces a dead letter; null for the message as it is. */
  private static byte @Nullable [] payload(Values in) {
    Optional<byte[]> json = in.find(PAYLOAD);
    byte[] bytes = in.find(PAYLOAD_BASE64);
    if (json != null && bytes != null) {
      throw Problem.field("payload", "expected this or payloadBase64, but got both");
    }
    return json == null ? bytes : json.orElse(NULL);
  }

  /** A message that stands for a dead letter is new to the groups that had done the old one. */
  private static void checkGroups(Call call, String queue, boolean allGroups) {
    GroupsRequest two = GroupsRequest.ofQueue(queue).limit(2);
    if (!allGroups && call.ask(Broker::groups, two).items().size() > 1) {
      throw Problem.of(
          409,
          ErrorCode.WRONG_STATE.name(),
          "the queue "
              + queue
              + " has several groups, and all of them would get the new message; send"
              + " \"allGroups\":true if they may");
    }
  }

  /** Removes a dead letter and pushes what stands for it: both or neither. */
  private static Changed replaced(
      Call call, Message message, @Nullable String group, byte[] payload) {
    NewMessage better =
        NewMessage.to(message.queue(), payload)
            .partition(message.partition())
            .lane(message.position().lane())
            .headers(message.headers());
    Result<Committed> result =
        call.broker(Authority.ROUTE)
            .commit(
                CommitRequest.of(
                    new Operation.RemoveDead(message.queue(), message.id(), group),
                    new Operation.PushMessage(better, false)));
    if (!result.isOk() && result.refusal().code() == ErrorCode.NOT_FOUND) {
      throw unknown();
    }
    List<Committed.Step> steps = Refusals.orThrow(result).steps();
    if (steps.get(0) instanceof Committed.Step.DeadRemoved removed
        && steps.get(1) instanceof Committed.Step.MessagePushed pushed) {
      return new Changed(message, group, "replaced", removed.count(), pushed.message().id());
    }
    throw new IllegalStateException("a commit was answered with other steps: " + steps);
  }

  private static Changed remove(Call call) {
    String group = call.query().find(DeadLetterListRoute.GROUP);
    Message message = find(call);
    long count = call.ask(Broker::removeDeadLetters, filter(message, group)).count();
    return new Changed(message, group, "deleted", count, null);
  }

  private Answer clear(Call call) {
    DeadLetterFilter filter = DeadLetterListRoute.filter(call.query(), call.query().get(QUEUE));
    if (call.query().get(BACKGROUND)) {
      return begin(call, "remove", filter, 0, call.broker(Authority.SERVER)::removeDeadLetters);
    }
    long count = call.ask(Broker::removeDeadLetters, filter).count();
    return Answer.ok(REMOVED, new Removed(filter, count));
  }
}
