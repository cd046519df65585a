package io.holdfast.server.status;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.lease.HeldLease;
import io.holdfast.api.lease.LeasesRequest;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Query;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.queen.Refusals;
import java.util.List;

/** Lists who holds messages of a queue. */
public final class LeaseListRoute {
  private static final Param GROUP = Param.text("group", "Only leases of this group.");
  private static final Param AFTER = Param.text("after", "The next of an earlier page.");
  private static final Param LIMIT =
      Param.number("limit", 100, 1, Limits.PAGE_MAX, "Most leases of the page.");

  private final Broker broker;

  public LeaseListRoute(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/resources/queues/{queue}/leases",
                Access.READ,
                "Queues",
                "List the live leases of a queue, those that end first in front",
                this::list)
            .query(GROUP, AFTER, LIMIT)
            .answers(
                200,
                "a page; it may be short although there is a next",
                Shape.fields(
                    Shape.required(
                        "leases",
                        Shape.array(
                            Shape.fields(
                                Shape.required("leaseId", Shape.TEXT, "The lease."),
                                Shape.required("group", Shape.TEXT, "Whose it is."),
                                Shape.required("worker", Shape.TEXT, "Who holds it, or null."),
                                Shape.required(
                                    "partition", Shape.TEXT, "The first partition it took from."),
                                Shape.required("partitions", Shape.WHOLE, "How many it took from."),
                                Shape.required("since", Shape.TIME, "When it was granted."),
                                Shape.required("until", Shape.TIME, "When it ends."),
                                Shape.required(
                                    "open", Shape.WHOLE, "How many messages it still holds."))),
                        "The leases."),
                    Shape.required("next", Shape.TEXT, "Where the next page begins, or null."))));
  }

  private Answer list(Call call) {
    Query query = call.query();
    Page<HeldLease> page =
        Refusals.orThrow(
            broker.leases(
                new LeasesRequest(
                    call.part("queue"),
                    query.text(GROUP),
                    query.text(AFTER),
                    (int) query.number(LIMIT))));
    JsonOut out = new JsonOut().beginObject().beginArray("leases");
    for (HeldLease lease : page.items()) {
      out.beginObject()
          .put("leaseId", lease.id())
          .put("group", lease.group())
          .put("worker", lease.worker())
          .put("partition", lease.partition())
          .put("partitions", lease.partitions())
          .putTime("since", lease.leasedMs())
          .putTime("until", lease.untilMs())
          .put("open", lease.open())
          .endObject();
    }
    return Answer.ok(out.endArray().put("next", page.next()).endObject());
  }
}
