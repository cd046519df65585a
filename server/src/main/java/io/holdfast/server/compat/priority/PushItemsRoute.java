package io.holdfast.server.compat.priority;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonException;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Route;
import java.util.List;

/** Pushes items to a priority queue. */
final class PushItemsRoute {
  /** An item to push. */
  private record Item(byte[] json, int priority) {}

  private static final Field<byte[]> ELEMENT =
      Field.required("item", Json.ANY, "The item: any JSON, kept byte for byte.");
  private static final Field<Integer> ELEMENT_PRIORITY =
      Field.optional("priority", Json.integer(0, Integer.MAX_VALUE), 0, "0 (default) comes first.");
  private static final Field<List<Item>> ITEMS =
      Field.optional(
          "items",
          Json.list(
              Json.object(
                  in -> new Item(in.get(ELEMENT), in.get(ELEMENT_PRIORITY)),
                  ELEMENT,
                  ELEMENT_PRIORITY),
              Limits.BATCH_MAX),
          "Instead of item and priority: several of both.");
  private static final Field<byte[]> ITEM = ELEMENT.or(ITEMS);
  private static final Field<Integer> PRIORITY = ELEMENT_PRIORITY.or(ITEMS);

  private static final JsonType<List<Item>> BODY =
      Json.object(PushItemsRoute::read, ITEM, PRIORITY, ITEMS);

  /** Items that were pushed. */
  private record Stored(List<Item> items, List<PushedMessage> messages) {
    String text() {
      return items.size() == 1
          ? "Item pushed at priority " + items.getFirst().priority()
          : items.size() + " items pushed";
    }
  }

  private static final JsonType<Stored> STORED =
      JsonObject.of(Stored.class)
          .flag("success", stored -> true, "true.")
          .text("message", Stored::text, "A text for people.")
          .whole("items_pushed", stored -> stored.items().size(), "Number of items.")
          .list(
              "ids",
              Json.ID.from(PushedMessage::id),
              Stored::messages,
              "The ids of the items, in their order.")
          .type();

  private PushItemsRoute() {}

  static Route route() {
    return Route.post("/queue/{id}/push", Access.PUSH)
        .summary("Push one item, or several, all or none")
        .problemsAs(PriorityRoutes::failure)
        .traffic()
        .body(BODY)
        .answers("stored", STORED, PushItemsRoute::push)
        .answers(400, "the item is missing, or the priority is not one", PriorityRoutes.FAILURE);
  }

  private static List<Item> read(Values in) {
    List<Item> items = in.find(ITEMS);
    if (items == null) {
      return List.of(new Item(in.get(ITEM), in.get(PRIORITY)));
    }
    if (items.isEmpty()) {
      throw JsonException.field(ITEMS.name(), "expected at least one, but it is empty");
    }
    return items;
  }

  private static Stored push(Call call) {
    String queue = call.part("id");
    List<Item> items = call.json(BODY);
    List<NewMessage> messages =
        items.stream()
            .map(item -> NewMessage.to(queue, item.json()).lane(item.priority()))
            .toList();
    return new Stored(items, call.ask(Broker::push, PushRequest.of(messages)).messages());
  }
}
