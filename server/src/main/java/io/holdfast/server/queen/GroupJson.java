package io.holdfast.server.queen;

import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.StartFrom;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Shape;

/** A group of a queue in JSON, in the words of the seed and of Queen. */
final class GroupJson {
  /** A group whose oldest message has waited longer than this is behind: the usual lease. */
  static final long LAGGING_MS = 300_000;

  static final Shape SHAPE =
      Shape.fields(
          Shape.required("name", Shape.TEXT, "The group."),
          Shape.required("topics", Shape.array(Shape.TEXT), "Its queue, as an array of one."),
          Shape.required("queueName", Shape.QUEUE, "Its queue."),
          Shape.required("members", Shape.WHOLE, "How many live leases it has."),
          Shape.required("totalLag", Shape.WHOLE, "Messages it has still to settle."),
          Shape.required(
              "maxTimeLag", Shape.WHOLE, "Seconds that the oldest of them has been there."),
          Shape.required(
              "state",
              Shape.words("Stable", "Lagging", "Dead"),
              "Stable: no message has waited longer than 300 seconds. Lagging: one has, and"
                  + " somebody holds a lease. Dead: one has, and nobody does."),
          Shape.required(
              "subscriptionMode",
              Shape.words("all", "new", "timestamp"),
              "Where it began: at all that was stored, at what came, or at a time."),
          Shape.required(
              "subscriptionTimestamp", Shape.TIME, "From when on it reads; null for all."),
          Shape.required("subscriptionCreatedAt", Shape.TIME, "When it was made."),
          Shape.required("waiting", Shape.WHOLE, "Messages it was never given."),
          Shape.required("returned", Shape.WHOLE, "Messages that came back to it."),
          Shape.required("inFlight", Shape.WHOLE, "Messages that its leases hold."),
          Shape.required("deadLetters", Shape.WHOLE, "Its dead letters."));

  private GroupJson() {}

  static void write(JsonOut out, GroupInfo group) {
    out.beginObject()
        .put("name", group.group())
        .beginArray("topics")
        .add(group.queue())
        .endArray()
        .put("queueName", group.queue());
    fields(out, group);
    out.endObject();
  }

  /** All but its name and queue. */
  static JsonOut fields(JsonOut out, GroupInfo group) {
    out.put("members", group.leases())
        .put("totalLag", group.lag())
        .put("maxTimeLag", group.lagMs() / 1000)
        .put("state", state(group));
    switch (group.start()) {
      case StartFrom.All all -> out.put("subscriptionMode", "all").putNull("subscriptionTimestamp");
      case StartFrom.New fresh ->
          out.put("subscriptionMode", "new").putTime("subscriptionTimestamp", group.createdMs());
      case StartFrom.Time time ->
          out.put("subscriptionMode", "timestamp").putTime("subscriptionTimestamp", time.fromMs());
    }
    return out.putTime("subscriptionCreatedAt", group.createdMs())
        .put("waiting", group.waiting())
        .put("returned", group.returned())
        .put("inFlight", group.inFlight())
        .put("deadLetters", group.dead());
  }

  static String state(GroupInfo group) {
    if (group.lagMs() <= LAGGING_MS) {
      return "Stable";
    }
    return group.leases() > 0 ? "Lagging" : "Dead";
  }
}
