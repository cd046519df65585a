package io.holdfast.server.work;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.MessageDetail.GroupView;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.Moved;
import io.holdfast.api.message.RescheduleRequest;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.queen.PartitionIds;
import io.holdfast.server.queen.Refusals;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Takes back, puts off and explains one message by its id, in whatever state it is. */
public final class SingleMessageRoutes {
  private static final String TOPIC = "Messages";

  private static final Shape STATE =
      Shape.words("delayed", "waiting", "returned", "in_flight", "settled", "dead");

  private static final Shape MOVED =
      Shape.fields(
          Shape.required("success", Shape.FLAG, "true."),
          Shape.required("messageId", Shape.TEXT, "The message."),
          Shape.required(
              "state", STATE, "Where it was, for the group that had come furthest with it."),
          Shape.required("visibleAt", Shape.TIME, "When it is visible now; null if cancelled."));

  private final Broker broker;
  private final LongSupplier nowMs;

  public SingleMessageRoutes(Broker broker, LongSupplier nowMs) {
    this.broker = broker;
    this.nowMs = nowMs;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/v1/messages/{id}/cancel",
                Access.CONSUME,
                TOPIC,
                "Take a message back for all groups; a leased one leaves its lease",
                this::cancel)
            .auditedInside("cancel")
            .answers(200, "cancelled", MOVED),
        Route.post(
                "/api/v1/messages/{id}/reschedule",
                Access.CONSUME,
                TOPIC,
                "Make a message visible at another time; a leased one leaves its lease",
                this::reschedule)
            .auditedInside("reschedule")
            .body(
                Shape.fields(
                    Shape.either("delaySeconds", "visibleAt", Shape.NUMBER, "Seconds from now."),
                    Shape.optional("visibleAt", Shape.TIME, "Instead of delaySeconds: when.")))
            .answers(200, "rescheduled", MOVED),
        Route.get(
                "/api/v1/messages/{id}/explain",
                Access.READ,
                TOPIC,
                "Where a message is, and why it is not being delivered",
                this::explain)
            .answers(200, "there is such a message", DETAIL));
  }

  private Answer cancel(Call call) {
    return moved(Refusals.orThrow(broker.cancel(CancelRequest.of(Ids.message(call)))));
  }

  /** When a message is to be visible, as it came: one of the two is -1. */
  private record Wish(long delayMs, long visibleAtMs) {}

  private Answer reschedule(Call call) {
    MessageRef message = Ids.message(call);
    Wish wish = call.json(SingleMessageRoutes::readWish);
    long visibleAtMs = wish.delayMs() < 0 ? wish.visibleAtMs() : nowMs.getAsLong() + wish.delayMs();
    return moved(Refusals.orThrow(broker.reschedule(new RescheduleRequest(message, visibleAtMs))));
  }

  private static Wish readWish(JsonIn in) {
    long delayMs = -1;
    long visibleAtMs = -1;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "delaySeconds" -> delayMs = in.isNull() ? -1 : in.secondsAsMs(Limits.DURATION_MS_MAX);
        case "visibleAt" -> visibleAtMs = in.isNull() ? -1 : in.time();
        default -> throw in.unknown("delaySeconds", "visibleAt");
      }
    }
    if ((delayMs < 0) == (visibleAtMs < 0)) {
      throw Problem.field(
          "delaySeconds",
          "expected it or visibleAt, but " + (delayMs < 0 ? "there is neither" : "got both"));
    }
    return new Wish(delayMs, visibleAtMs);
  }

  private static Answer moved(Moved moved) {
    return Answer.ok(
        new JsonOut()
            .beginObject()
            .put("success", true)
            .put("messageId", moved.id().toString())
            .put("state", word(moved.state()))
            .putTime("visibleAt", moved.visibleAtMs())
            .endObject());
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private Answer explain(Call call) {
    MessageDetail detail = Refusals.orThrow(broker.message(Ids.message(call)));
    Message message = detail.message();
    JsonOut out =
        new JsonOut(1_024)
            .beginObject()
            .put("id", message.id().toString())
            .put("transactionId", message.transactionId())
            .put("queue", message.queue())
            .put("partition", message.partition())
            .put("partitionId", PartitionIds.text(message.position().partition()))
            .put("priority", message.position().lane())
            .put("seq", message.position().seq())
            .putTime("createdAt", message.createdMs())
            .putTime("visibleAt", message.visibleMs())
            .put("explain", detail.explain())
            .beginArray("groups");
    detail.groups().forEach(group -> write(out, group));
    out.endArray().beginObject("headers");
    message.headers().forEach(out::put);
    return Answer.ok(out.endObject().putPayload("data", message).endObject());
  }

  private static void write(JsonOut out, GroupView group) {
    out.beginObject()
        .put("consumerGroup", group.group())
        .put("state", word(group.state()))
        .put("explain", group.explain())
        .put("retryCount", group.failures())
        .put("expiries", group.expiries())
        .putTime("visibleAt", group.visibleAtMs())
        .put("leaseId", group.leaseId())
        .put("worker", group.worker())
        .putTime("leaseExpiresAt", group.leaseUntilMs())
        .beginArray("attempts");
    for (Attempt attempt : group.attempts()) {
      out.beginObject()
          .put("number", attempt.number())
          .put("cause", word(attempt.cause()))
          .put("worker", attempt.worker())
          .putTime("leasedAt", attempt.leasedMs())
          .putTime("endedAt", attempt.endedMs())
          .put("error", attempt.error())
          .endObject();
    }
    out.endArray().endObject();
  }

  private static final Shape DETAIL =
      Shape.fields(
          Shape.required("id", Shape.TEXT, "The message's id."),
          Shape.required("transactionId", Shape.TEXT, "Its name, or null."),
          Shape.required("queue", Shape.QUEUE, "Its queue."),
          Shape.required("partition", Shape.TEXT, "Its partition."),
          Shape.required("partitionId", Shape.TEXT, "The same, as acks name it."),
          Shape.required("priority", Shape.WHOLE, "Its lane."),
          Shape.required("seq", Shape.WHOLE, "Its number in the partition."),
          Shape.required("createdAt", Shape.TIME, "When it was pushed."),
          Shape.required("visibleAt", Shape.TIME, "When it entered, or will enter, its lane."),
          Shape.required("explain", Shape.TEXT, "In words: where it is, and why."),
          Shape.required(
              "groups",
              Shape.array(
                  Shape.fields(
                      Shape.required("consumerGroup", Shape.TEXT, "The group."),
                      Shape.required("state", STATE, "Where the message is, for this group."),
                      Shape.required("explain", Shape.TEXT, "The same in words."),
                      Shape.required("retryCount", Shape.WHOLE, "How often it failed."),
                      Shape.required("expiries", Shape.WHOLE, "How often a lease ran out on it."),
                      Shape.required("visibleAt", Shape.TIME, "When it may be delivered, or null."),
                      Shape.required("leaseId", Shape.TEXT, "The lease that holds it, or null."),
                      Shape.required("worker", Shape.TEXT, "Who holds it, or null."),
                      Shape.required("leaseExpiresAt", Shape.TIME, "Until when, or null."),
                      Shape.required(
                          "attempts",
                          Shape.array(
                              Shape.fields(
                                  Shape.required("number", Shape.WHOLE, "Which delivery."),
                                  Shape.required(
                                      "cause",
                                      Shape.words("nacked", "expired", "killed", "waited_too_long"),
                                      "How it failed."),
                                  Shape.required("worker", Shape.TEXT, "Who held it, or null."),
                                  Shape.required("leasedAt", Shape.TIME, "From when."),
                                  Shape.required("endedAt", Shape.TIME, "Until when."),
                                  Shape.required("error", Shape.TEXT, "What it said, or null."))),
                          "The newest failed ones, oldest first."))),
              "How each group of its queue sees it."),
          Shape.required("headers", Shape.OBJECT, "Texts by name."),
          Shape.required("data", Shape.ANY, "The payload."),
          Shape.optional("dataBase64", Shape.TEXT, "The payload if it is not JSON; data is null."),
          Shape.optional("dataProblem", Shape.TEXT, "Why it cannot be decrypted; data is null."));
}
