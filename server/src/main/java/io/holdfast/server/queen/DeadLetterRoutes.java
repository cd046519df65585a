package io.holdfast.server.queen;

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
import io.holdfast.server.access.Audit;
import io.holdfast.server.access.Caller;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Pass;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.jobs.Job;
import io.holdfast.server.jobs.JobRoutes;
import io.holdfast.server.jobs.Jobs;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Delivers dead letters again, and removes them. */
public final class DeadLetterRoutes {
  private static final String TOPIC = DeadLetterListRoute.TOPIC;

  private static final int PER_SECOND_MAX = 1_000;
  private static final Param BACKGROUND =
      Param.flag("background", "Answer at once, with a job that goes on.");

  private final Broker broker;
  private final Broker edits;
  private final Broker open;
  private final Jobs jobs;

  /**
   * @param edits puts other messages in the place of dead letters: who may requeue may
   * @param open does the work of jobs, which have nobody who asks any more
   */
  public DeadLetterRoutes(Broker broker, Broker edits, Broker open, Jobs jobs) {
    this.broker = broker;
    this.edits = edits;
    this.open = open;
    this.jobs = jobs;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/v1/dlq/requeue",
                Access.CONSUME,
                TOPIC,
                "Deliver dead letters of a queue again: one, some or all",
                this::requeue)
            .auditedInside("requeue", "requeue-job")
            .body(BODY)
            .answers(
                200,
                "each is back in its own group, at its old place, with no failures",
                Shape.fields(
                    Shape.required("success", Shape.FLAG, "true."),
                    Shape.required("queue", Shape.QUEUE, "The queue."),
                    Shape.required("dryRun", Shape.FLAG, "Whether nothing was done."),
                    Shape.required(
                        "requeued", Shape.WHOLE, "How many; with dryRun, how many it would be.")))
            .answers(202, "a job does it", JobRoutes.ONE),
        Route.post(
                "/api/v1/dlq/{id}/replay",
                Access.CONSUME,
                TOPIC,
                "Deliver a dead letter again, by the id of its message, as it is or changed",
                this::replay)
            .auditedInside("requeue", "remove-dead-letters")
            .bodyIfAny(ReplayBody.SHAPE)
            .answers(
                200,
                "it is back at its old place, with no failures; or with a payload, it is gone and a"
                    + " new message is pushed",
                REPLAYED),
        Route.delete(
                "/api/v1/dlq/{id}",
                Access.ADMIN,
                TOPIC,
                "Remove a dead letter, by the id of its message",
                this::remove)
            .auditedInside("remove-dead-letters")
            .query(DeadLetterListRoute.GROUP)
            .answers(200, "it is gone", REPLAYED),
        Route.delete(
                "/api/v1/dlq", Access.ADMIN, TOPIC, "Remove dead letters of a queue", this::clear)
            .auditedInside("remove-dead-letters", "remove-job")
            .query(
                DeadLetterListRoute.QUEUE,
                DeadLetterListRoute.GROUP,
                DeadLetterListRoute.PARTITION,
                DeadLetterListRoute.MESSAGE,
                DeadLetterListRoute.ERROR,
                DeadLetterListRoute.FROM,
                DeadLetterListRoute.TO,
                BACKGROUND)
            .answers(202, "a job does it", JobRoutes.ONE)
            .answers(
                200,
                "they are gone",
                Shape.fields(
                    Shape.required("success", Shape.FLAG, "true."),
                    Shape.required("deleted", Shape.WHOLE, "How many."),
                    Shape.required("queue", Shape.QUEUE, "The queue."),
                    Shape.required("consumerGroup", Shape.TEXT, "The group, or null for all."))));
  }

  private Answer requeue(Call call) {
    Wish wish = call.json(DeadLetterRoutes::read);
    RequeueRequest request = wish.request;
    if (!request.dryRun() && (wish.background || wish.perSecond > 0)) {
      return begin(
          "requeue", request.filter(), wish.perSecond, one -> open.requeue(RequeueRequest.of(one)));
    }
    long count = Refusals.orThrow(broker.requeue(request)).count();
    return Answer.ok(
        new JsonOut()
            .beginObject()
            .put("success", true)
            .put("queue", request.filter().queue())
            .put("dryRun", request.dryRun())
            .put("requeued", count)
            .endObject());
  }

  /** Has a job act on dead letters; who asks may, because the count is asked in their name. */
  private Answer begin(
      String kind,
      DeadLetterFilter filter,
      int perSecond,
      Function<DeadLetterFilter, Result<Affected>> act) {
    long total = Refusals.orThrow(broker.requeue(new RequeueRequest(filter, true))).count();
    long nowMs = Refusals.orThrow(open.stats()).nowMs();
    DeadLetterWalk walk = new DeadLetterWalk(open, filter, nowMs, act);
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
    return JobRoutes.answer(202, job);
  }

  /** Writes that a job begins, or how it ended, in the name of whoever started it. */
  private static boolean audit(DeadLetterFilter filter, Job job) {
    boolean begins = job.state() == Job.State.RUNNING;
    Audit.of(job.kind() + "-job")
        .put("queue", filter.queue())
        .put("group", filter.group())
        .put("job", job.id())
        .put("total", job.total())
        .put("count", begins ? null : job.done())
        .result(begins ? "STARTED" : job.state().name());
    return begins;
  }

  /** A requeue as it was asked for. */
  private record Wish(RequeueRequest request, boolean background, int perSecond) {}

  private static Wish read(JsonIn in) {
    String queue = null;
    String group = null;
    String partition = null;
    String error = null;
    UUID id = null;
    Span span = Span.ALWAYS;
    boolean dryRun = false;
    boolean background = false;
    int perSecond = 0;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "queue" -> queue = in.text();
        case "consumerGroup" -> group = in.textOrNull();
        case "partition" -> partition = in.textOrNull();
        case "error" -> error = in.textOrNull();
        case "messageId" -> id = in.isNull() ? null : DeadLetterListRoute.id(field, in.text());
        case "from" -> span = span.from(in);
        case "to" -> span = span.to(in);
        case "dryRun" -> dryRun = in.flag();
        case "background" -> background = in.flag();
        case "perSecond" -> perSecond = in.isNull() ? 0 : (int) in.number(1, PER_SECOND_MAX);
        default ->
            throw in.unknown(
                "queue",
                "consumerGroup",
                "partition",
                "messageId",
                "error",
                "from",
                "to",
                "dryRun",
                "background",
                "perSecond");
      }
    }
    Span whole = span.checked();
    DeadLetterFilter filter =
        new DeadLetterFilter(
            required(queue), group, partition, id, error, whole.fromMs(), whole.toMs());
    return new Wish(new RequeueRequest(filter, dryRun), background, perSecond);
  }

  private static String required(@Nullable String queue) {
    if (queue == null || queue.isEmpty()) {
      throw Problem.required("queue", "queue is required");
    }
    return queue;
  }

  /** A dead letter's message, and which of its dead letters are meant. */
  private record Named(Message message, DeadLetterFilter filter) {}

  private Named find(Call call, @Nullable String group) {
    UUID id = DeadLetterListRoute.idOrNull(call.part("id"));
    if (id == null) {
      throw unknown();
    }
    Result<MessageDetail> found = broker.message(MessageRef.id(id));
    if (!found.isOk() && found.refusal().code() == ErrorCode.NOT_FOUND) {
      throw unknown();
    }
    Message message = Refusals.orThrow(found).message();
    return new Named(
        message, new DeadLetterFilter(message.queue(), group, null, id, null, 0, Long.MAX_VALUE));
  }

  private static Problem unknown() {
    return Problem.notFound("there is no dead letter of that id");
  }

  private Answer replay(Call call) {
    ReplayBody body = ReplayBody.of(call);
    Named named = find(call, body.group());
    byte[] payload = body.payload();
    if (payload != null) {
      checkGroups(named, body.allGroups());
      return replaced(named, payload);
    }
    return changed(
        named,
        "moved",
        Refusals.orThrow(broker.requeue(RequeueRequest.of(named.filter()))).count());
  }

  /** A message that stands for a dead letter is new to the groups that had done the old one. */
  private void checkGroups(Named named, boolean allGroups) {
    String queue = named.message().queue();
    if (!allGroups
        && Refusals.orThrow(broker.groups(new GroupsRequest(queue, null, null, 2))).items().size()
            > 1) {
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
  private Answer replaced(Named named, byte[] payload) {
    Message message = named.message();
    NewMessage better =
        NewMessage.to(message.queue(), payload)
            .partition(message.partition())
            .lane(message.position().lane())
            .headers(message.headers());
    Result<Committed> result =
        edits.commit(
            CommitRequest.of(
                new Operation.RemoveDead(message.queue(), message.id(), named.filter().group()),
                new Operation.PushMessage(better, false)));
    if (!result.isOk() && result.refusal().code() == ErrorCode.NOT_FOUND) {
      throw unknown();
    }
    List<Committed.Step> steps = Refusals.orThrow(result).steps();
    if (steps.get(0) instanceof Committed.Step.DeadRemoved removed
        && steps.get(1) instanceof Committed.Step.MessagePushed pushed) {
      return changed(named, "replaced", removed.count(), pushed.message().id());
    }
    throw new IllegalStateException("a commit was answered with other steps: " + steps);
  }

  private Answer remove(Call call) {
    Named named = find(call, call.query().text(DeadLetterListRoute.GROUP));
    return changed(
        named, "deleted", Refusals.orThrow(broker.removeDeadLetters(named.filter())).count());
  }

  private static Answer changed(Named named, String result, long count) {
    return changed(named, result, count, null);
  }

  private static Answer changed(Named named, String result, long count, @Nullable UUID replacedBy) {
    if (count == 0) {
      throw unknown();
    }
    Message message = named.message();
    String name = PopRoutes.nameOf(message);
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("success", true)
            .put("result", result)
            .put("count", count)
            .put("dlqId", message.id().toString())
            .put("messageId", message.id().toString())
            .put("transactionId", name)
            .put("originalTransactionId", name)
            .put("queue", message.queue())
            .put("partition", message.partition())
            .put("consumerGroup", named.filter().group())
            .put("dlqRowRemoved", true);
    if (replacedBy != null) {
      out.put("replacedBy", replacedBy);
    }
    return Answer.ok(out.endObject());
  }

  private Answer clear(Call call) {
    String queue = required(call.query().text(DeadLetterListRoute.QUEUE));
    DeadLetterFilter filter = DeadLetterListRoute.filter(call.query(), queue);
    if (call.query().flag(BACKGROUND)) {
      return begin("remove", filter, 0, open::removeDeadLetters);
    }
    long deleted = Refusals.orThrow(broker.removeDeadLetters(filter)).count();
    return Answer.ok(
        new JsonOut()
            .beginObject()
            .put("success", true)
            .put("deleted", deleted)
            .put("queue", queue)
            .put("consumerGroup", filter.group())
            .endObject());
  }

  private static final Shape BODY =
      Shape.fields(
          Shape.required("queue", Shape.QUEUE, "The queue."),
          Shape.optional("consumerGroup", Shape.TEXT, "Only those of this group."),
          Shape.optional("partition", Shape.TEXT, "Only those of this partition."),
          Shape.optional("messageId", Shape.TEXT, "Only those of this message."),
          Shape.optional("error", Shape.TEXT, "Only those whose error has this text in it."),
          Shape.optional("from", Shape.TIME, "Only those that died at or after."),
          Shape.optional("to", Shape.TIME, "Only those that died up to then, or on that day."),
          Shape.optional("dryRun", Shape.FLAG, "Only count."),
          Shape.optional(
              "perSecond",
              Shape.WHOLE,
              "No more than so many a second, 1 to " + PER_SECOND_MAX + ": a job does it."),
          Shape.optional("background", Shape.FLAG, "Answer at once: a job does it."));

  private static final Shape REPLAYED =
      Shape.fields(
          Shape.required("success", Shape.FLAG, "true."),
          Shape.required(
              "result", Shape.words("moved", "deleted", "replaced"), "What became of it."),
          Shape.required("count", Shape.WHOLE, "For how many groups."),
          Shape.required("dlqId", Shape.TEXT, "The message's id."),
          Shape.required("messageId", Shape.TEXT, "The same."),
          Shape.optional("replacedBy", Shape.TEXT, "The id of the message that was pushed."),
          Shape.required("transactionId", Shape.TEXT, "Its name, or else its id."),
          Shape.required("originalTransactionId", Shape.TEXT, "The same."),
          Shape.required("queue", Shape.QUEUE, "Its queue."),
          Shape.required("partition", Shape.TEXT, "Its partition."),
          Shape.required("consumerGroup", Shape.TEXT, "The group, or null for all."),
          Shape.required("dlqRowRemoved", Shape.FLAG, "true."));
}
