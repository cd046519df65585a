package io.holdfast.server.priority;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts items into a priority queue. */
final class PushItemsRoute {
  private static final int ID_BYTES = 40;

  private static final Shape.Field PRIORITY =
      Shape.optional("priority", Shape.WHOLE, "0 (default) comes first.");

  private final Broker broker;

  PushItemsRoute(Broker broker) {
    this.broker = broker;
  }

  Route route() {
    return Route.post(
            "/queue/{id}/push",
            Access.PUSH,
            PriorityRoutes.TOPIC,
            "Push one item, or several, all or none",
            Failures.told(this::push))
        .traffic()
        .body(
            Shape.fields(
                Shape.either("item", "items", Shape.ANY, "The item: any JSON, kept byte for byte."),
                PRIORITY,
                Shape.optional(
                    "items",
                    Shape.array(
                        Shape.fields(
                            Shape.required("item", Shape.ANY, "The item: any JSON."), PRIORITY)),
                    "Instead of item and priority: several of both.")))
        .answers(
            200,
            "stored",
            Shape.fields(
                Shape.required("success", Shape.FLAG, "true."),
                Shape.required("message", Shape.TEXT, "What happened."),
                Shape.required("items_pushed", Shape.WHOLE, "How many."),
                Shape.required("ids", Shape.array(Shape.TEXT), "Their ids, in their order.")))
        .answers(400, "the item is missing, or the priority is not one", Failures.SHAPE);
  }

  /** An item on its way in. */
  private record Item(byte[] json, int priority) {}

  private Answer push(Call call) {
    String queue = call.part("id");
    List<Item> items = call.json(PushItemsRoute::read);
    List<NewMessage> messages =
        items.stream()
            .map(item -> NewMessage.to(queue, item.json()).lane(item.priority()))
            .toList();
    Pushed pushed = Failures.orThrow(broker.push(PushRequest.of(messages)));
    int count = items.size();
    JsonOut out =
        new JsonOut(ID_BYTES * count + 200)
            .beginObject()
            .put("success", true)
            .put(
                "message",
                count == 1
                    ? "Item pushed at priority " + items.getFirst().priority()
                    : count + " items pushed")
            .put("items_pushed", count)
            .beginArray("ids");
    for (PushedMessage message : pushed.messages()) {
      out.add(message.id().toString());
    }
    return Answer.ok(out.endArray().endObject());
  }

  private static List<Item> read(JsonIn in) {
    byte[] single = null;
    Integer priority = null;
    List<Item> items = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "item" -> single = in.payload();
        case "priority" -> priority = priority(in);
        case "items" -> items = in.list(Limits.BATCH_MAX, PushItemsRoute::readItem);
        default -> throw in.unknown("item", "priority", "items");
      }
    }
    if (items == null) {
      return List.of(item("", single, priority));
    }
    if (single != null || priority != null) {
      throw Problem.field(
          "items", "expected without item and priority beside it: each element has its own");
    }
    if (items.isEmpty()) {
      throw Problem.field("items", "expected at least one, but it is empty");
    }
    return items;
  }

  private static Item readItem(JsonIn in) {
    String place = in.place() + '.';
    byte[] json = null;
    Integer priority = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "item" -> json = in.payload();
        case "priority" -> priority = priority(in);
        default -> throw in.unknown("item", "priority");
      }
    }
    return item(place, json, priority);
  }

  private static int priority(JsonIn in) {
    return (int) in.number(0, Integer.MAX_VALUE);
  }

  private static Item item(String place, byte @Nullable [] json, @Nullable Integer priority) {
    if (json == null) {
      throw Problem.field(place + "item", "expected any JSON, but there is none");
    }
    return new Item(json, priority == null ? 0 : priority);
  }
}
