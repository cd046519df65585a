package io.holdfast.server.queen;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Shape;
import java.util.List;

/**
 * Who reads a queue, in Queen's words: consumers that compete, groups that all get all, or both.
 */
final class MessageModes {
  static final Shape SHAPE =
      Shape.fields(
          Shape.required("hasQueueMode", Shape.FLAG, "Whether it is popped without a group."),
          Shape.required("busGroupsCount", Shape.WHOLE, "How many named groups read it."),
          Shape.required("type", Shape.words("queue", "bus", "hybrid", "none"), "Both in a word."));

  private MessageModes() {}

  static void write(JsonOut out, List<String> groups) {
    boolean queue = groups.contains(PopRequest.QUEUE_MODE);
    int bus = groups.size() - (queue ? 1 : 0);
    String type = bus == 0 ? (queue ? "queue" : "none") : queue ? "hybrid" : "bus";
    out.beginObject("mode")
        .put("hasQueueMode", queue)
        .put("busGroupsCount", bus)
        .put("type", type)
        .endObject();
  }
}
