package io.holdfast.server.status;

import io.holdfast.api.Broker;
import io.holdfast.api.Page;
import io.holdfast.api.lease.HeldLease;
import io.holdfast.api.lease.LeasesRequest;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Paging;
import io.holdfast.server.http.Route;
import java.util.List;

/** Lists who holds messages of a queue. */
public final class LeaseListRoute {
  private static final Field<String> GROUP = Field.text("group", "Only leases of this group.");

  private static final JsonType<Page<HeldLease>> PAGE =
      Json.page(
          "leases",
          JsonObject.of(HeldLease.class)
              .text("leaseId", HeldLease::id, "The lease.")
              .text("group", HeldLease::group, "Its group.")
              .textOrNull("worker", HeldLease::worker, "Who holds it; null if nobody said.")
              .text("partition", HeldLease::partition, "The first partition it took from.")
              .whole("partitions", HeldLease::partitions, "The number of partitions it took from.")
              .time("since", HeldLease::leasedMs, "When it was granted.")
              .time("until", HeldLease::untilMs, "When it ends.")
              .whole("open", HeldLease::open, "The number of messages it still holds.")
              .type(),
          "The leases.");

  private LeaseListRoute() {}

  public static List<Route> routes() {
    return Route.about(
        "Queues",
        Route.get("/api/v1/resources/queues/{queue}/leases")
            .summary("List the live leases of a queue, those that end first in front")
            .query(GROUP, Paging.AFTER, Paging.LIMIT)
            .answers(
                "a page; it may be short although there is a next", PAGE, LeaseListRoute::list));
  }

  private static Page<HeldLease> list(Call call) {
    Values query = call.query();
    return call.ask(
        Broker::leases,
        new LeasesRequest(
            call.part("queue"),
            query.find(GROUP),
            query.find(Paging.AFTER),
            query.get(Paging.LIMIT).intValue()));
  }
}
