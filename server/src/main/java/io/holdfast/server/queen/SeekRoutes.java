package io.holdfast.server.queen;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.group.SeekRequest;
import io.holdfast.api.group.Sought;
import io.holdfast.api.group.StartFrom;
import io.holdfast.api.group.SubscribeRequest;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.http.Times;
import java.util.ArrayList;
import java.util.List;

/** Moves consumer groups forwards and backwards, and says where they begin. */
public final class SeekRoutes {
  private static final String TOPIC = GroupRoutes.TOPIC;
  private static final SeekRequest.To END = new SeekRequest.To.End();
  private static final SeekRequest.To BEGINNING = new SeekRequest.To.Beginning();

  private static final Shape BODY =
      Shape.fields(
          Shape.optional("toEnd", Shape.FLAG, "Past the newest message."),
          Shape.optional("toBeginning", Shape.FLAG, "To the oldest message that is kept."),
          Shape.optional(
              "timestamp", Shape.TIME, "To the first message that entered at or after."));

  private final Broker broker;

  public SeekRoutes(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/v1/consumer-groups/{group}/queues/{queue}/seek",
                Access.ADMIN,
                TOPIC,
                "Move a group on a queue; its leases there end",
                this::seek)
            .auditedInside("seek")
            .body(BODY)
            .answers(200, "it was moved", SHAPE),
        Route.post(
                "/api/v1/consumer-groups/{group}/queues/{queue}/partitions/{partition}/seek",
                Access.ADMIN,
                TOPIC,
                "Move a group on one partition, to its end if nothing is said",
                this::seekPartition)
            .auditedInside("seek")
            .bodyIfAny(BODY)
            .answers(200, "it was moved", SHAPE),
        Route.post(
                "/api/v1/consumer-groups/{group}/subscription",
                Access.ADMIN,
                TOPIC,
                "Change when a group begins on partitions that come later, for all its queues;"
                    + " where it stands now it stays, and seek moves it",
                this::subscription)
            .auditedInside("subscribe-from")
            .body(
                Shape.fields(
                    Shape.required(
                        "subscriptionTimestamp",
                        Shape.TIME,
                        "What enters those partitions before it is not for the group.")))
            .answers(200, "it was changed, or there is no such group", SUBSCRIBED));
  }

  private Answer seek(Call call) {
    SeekRequest.To to = call.json(in -> read(in, false));
    return answer(new SeekRequest(call.part("queue"), call.part("group"), null, to));
  }

  private Answer seekPartition(Call call) {
    SeekRequest.To to = call.hasBody() ? call.json(in -> read(in, true)) : END;
    return answer(
        new SeekRequest(call.part("queue"), call.part("group"), call.part("partition"), to));
  }

  private Answer answer(SeekRequest request) {
    Sought sought = Refusals.orThrow(broker.seek(request));
    boolean toEnd = request.to() instanceof SeekRequest.To.End;
    long timeMs = request.to() instanceof SeekRequest.To.Time time ? time.fromMs() : 0;
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("success", true)
            .put("updated", sought.partitions() > 0)
            .put("consumerGroup", request.group())
            .put("queueName", request.queue());
    if (request.partition() != null) {
      out.put("partitionName", request.partition());
    }
    out.put("seekToEnd", toEnd)
        .putTime("targetTimestamp", timeMs)
        .put("partitionsUpdated", sought.partitions())
        .put("clamped", sought.clamped())
        .put("totalLag", sought.lag());
    return Answer.ok(out.endObject());
  }

  private static SeekRequest.To read(JsonIn in, boolean endByDefault) {
    List<SeekRequest.To> said = new ArrayList<>();
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "toEnd" -> said.addAll(in.flag() ? List.of(END) : List.of());
        case "toBeginning" -> said.addAll(in.flag() ? List.of(BEGINNING) : List.of());
        case "timestamp" ->
            said.addAll(in.isNull() ? List.of() : List.of(new SeekRequest.To.Time(in.time())));
        default -> throw in.unknown("toEnd", "toBeginning", "timestamp");
      }
    }
    if (said.isEmpty() && endByDefault) {
      return END;
    }
    if (said.size() != 1) {
      throw Problem.body(
          "Must specify either 'toEnd': true or 'timestamp', or 'toBeginning': true");
    }
    return said.getFirst();
  }

  private Answer subscription(Call call) {
    String group = call.part("group");
    StartFrom.Time start = new StartFrom.Time(call.json(SeekRoutes::readTime));
    List<String> changed = new ArrayList<>();
    new AllQueues(broker)
        .visit(
            null,
            queue -> {
              if (queue.groups() > 0 && subscribe(queue.name(), group, start)) {
                changed.add(queue.name());
              }
              return true;
            });
    return Answer.ok(
        new JsonOut()
            .beginObject()
            .put("success", true)
            .put("consumerGroup", group)
            .put("newTimestamp", Times.text(start.fromMs()))
            .put("rowsUpdated", changed.size())
            .endObject());
  }

  private static long readTime(JsonIn in) {
    long timeMs = -1;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      if (!field.equals("subscriptionTimestamp")) {
        throw in.unknown("subscriptionTimestamp");
      }
      timeMs = in.time();
    }
    if (timeMs < 0) {
      throw Problem.required(
          "subscriptionTimestamp", "Missing subscriptionTimestamp in request body");
    }
    return timeMs;
  }

  /** Changes the start of a group of a queue, if there is one. */
  private boolean subscribe(String queue, String group, StartFrom start) {
    // Asked first: a refused change costs as much as one that is made.
    Result<Page<GroupInfo>> found = broker.groups(new GroupsRequest(queue, group));
    if (!found.isOk() || found.orThrow().items().isEmpty()) {
      return false;
    }
    Result<StartFrom> changed = broker.subscribeFrom(new SubscribeRequest(queue, group, start));
    if (!changed.isOk() && changed.refusal().code() != ErrorCode.NOT_FOUND) {
      throw Problem.refused(changed.refusal());
    }
    return changed.isOk();
  }

  private static final Shape SUBSCRIBED =
      Shape.fields(
          Shape.required("success", Shape.FLAG, "true."),
          Shape.required("consumerGroup", Shape.TEXT, "The group."),
          Shape.required("newTimestamp", Shape.TIME, "When it begins now."),
          Shape.required("rowsUpdated", Shape.WHOLE, "For how many queues; 0: no such group."));

  private static final Shape SHAPE =
      Shape.fields(
          Shape.required("success", Shape.FLAG, "true."),
          Shape.required("updated", Shape.FLAG, "Whether there was a partition to move on."),
          Shape.required("consumerGroup", Shape.TEXT, "The group."),
          Shape.required("queueName", Shape.QUEUE, "The queue."),
          Shape.optional("partitionName", Shape.TEXT, "The partition, if one was named."),
          Shape.required("seekToEnd", Shape.FLAG, "Whether it was moved to the end."),
          Shape.required("targetTimestamp", Shape.TIME, "The time that was asked for, or null."),
          Shape.required("partitionsUpdated", Shape.WHOLE, "On how many partitions."),
          Shape.required(
              "clamped", Shape.FLAG, "Whether messages from there on are no longer kept."),
          Shape.required("totalLag", Shape.WHOLE, "How many messages lie ahead now."));
}
