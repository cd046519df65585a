package io.holdfast.server.leases;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.HeldLease;
import io.holdfast.api.lease.LeaseInfo;
import io.holdfast.api.lease.LeasesRequest;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.Position;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.json.objects.PartitionIds;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.AsyncAnswer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Paging;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Extends, shows and lists leases, and settles all that one holds. */
public final class LeaseRoutes {
  private static final Field<Long> SECONDS =
      Field.number(
          "seconds", 60, 1, Limits.LEASE_MS_MAX / 1000, "It then lasts so long from now; 60.");
  private static final Field<Long> WAIT =
      Field.optional(
          "waitSeconds",
          Json.seconds(Limits.WAIT_MS_MAX),
          0L,
          "Once extended, wait so long for news: it answers at once when a message of the lease is"
              + " cancelled or the lease ends.");
  private static final JsonType<Values> EXTEND = Json.object(in -> in, SECONDS, WAIT);

  private static final JsonType<Position> POSITION =
      JsonObject.of(Position.class)
          .text("partitionId", at -> PartitionIds.text(at.partition()), "Its partition.")
          .whole("priority", Position::lane, "Its lane.")
          .whole("seq", Position::seq, "Its number.")
          .type();

  /** A lease that was to be extended: as it is now, or why it was not. */
  private record Extension(String leaseId, @Nullable Extended lease, @Nullable Refusal why) {
    long untilMs() {
      return lease == null ? 0 : lease.leaseUntilMs();
    }
  }

  private static final JsonType<Extension> EXTENDED =
      JsonObject.of(Extension.class)
          .text("leaseId", Extension::leaseId, "The lease.")
          .flag("success", extension -> extension.lease() != null, "false if it is over.")
          .whole("renewed", extension -> extension.lease() == null ? 0 : 1, "1; 0 if it is over.")
          .timeOrNull("newExpiresAt", Extension::untilMs, "When it ends; null if it is over.")
          .timeOrNull("expiresAt", Extension::untilMs, "The same.")
          .timeOrNull("lease_expires_at", Extension::untilMs, "The same.")
          .optional(
              "open",
              Json.WHOLE,
              extension -> extension.lease() == null ? null : (long) extension.lease().open(),
              "How many messages it still holds.")
          .optional(
              "cancelled",
              Json.list(POSITION),
              extension -> extension.lease() == null ? null : extension.lease().cancelled(),
              "The messages that were taken out of it by a cancel or a reschedule.")
          .optional(
              "error",
              Json.TEXT,
              extension -> extension.why() == null ? null : extension.why().detail(),
              "Why it was not extended.")
          .optional(
              "code",
              Json.TEXT,
              extension -> extension.why() == null ? null : extension.why().code().name(),
              "The same for programs.")
          .type();

  private static final JsonType<LeaseInfo> LEASE =
      JsonObject.of(LeaseInfo.class)
          .text("leaseId", LeaseInfo::id, "The lease.")
          .field(
              "state",
              Json.constant(LeaseInfo.State.class),
              LeaseInfo::state,
              "settled: by its holder, all of it. lost: it expired, or messages of it were given"
                  + " back or taken away.")
          .fieldOrNull("queue", Json.QUEUE, LeaseInfo::queue, "Its queue; null if it was deleted.")
          .textOrNull("consumerGroup", LeaseInfo::group, "Its group; null if it is over.")
          .textOrNull("worker", LeaseInfo::worker, "Who holds it; null if nobody said.")
          .timeOrNull(
              "expiresAt",
              lease -> isLive(lease) ? lease.untilMs() : 0,
              "When it ends; null if it is over.")
          .timeOrNull(
              "rememberedUntil",
              lease -> isLive(lease) ? 0 : lease.untilMs(),
              "Of one that is over; else null.")
          .whole("open", LeaseInfo::open, "How many messages it still holds.")
          .type();

  private static final JsonType<Values> SETTLE =
      Json.object(in -> in, AckItem.STATUS, AckItem.ERROR, AckItem.DELAY);

  /** What became of all that a lease held. */
  private record SettledLease(String leaseId, SettleVerdict verdict) {}

  private static final JsonType<SettledLease> SETTLED =
      JsonObject.of(SettledLease.class)
          .text("leaseId", SettledLease::leaseId, "The lease.")
          .flag("success", lease -> lease.verdict().applied(), "Whether anything was settled.")
          .whole("count", lease -> lease.verdict().count(), "How many messages.")
          .text(
              "message",
              lease -> AckAnswer.word(lease.verdict().status()),
              "What became of the last of them.")
          .textOrNull(
              "error",
              lease -> AckAnswer.error(lease.verdict().status()),
              "Why nothing was settled, or null.")
          .optional(
              "code",
              Json.TEXT,
              lease -> lease.verdict().applied() ? null : lease.verdict().code().name(),
              "The same for programs.")
          .type();

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

  private LeaseRoutes() {}

  private static boolean isLive(LeaseInfo lease) {
    return lease.state() == LeaseInfo.State.LIVE;
  }

  public static List<Route> routes() {
    return Route.about(
        AckRoutes.TOPIC,
        Route.post("/api/v1/lease/{leaseId}/extend", Access.CONSUME)
            .summary("Give a lease more time; it is never shortened")
            .traffic()
            .bodyIfAny(EXTEND)
            .answersAsync(
                200,
                "decided; success says whether the lease lives",
                EXTENDED,
                LeaseRoutes::extend),
        Route.get("/api/v1/lease/{leaseId}")
            .summary("What is known of a lease")
            .answers(
                "it lives or is remembered",
                LEASE,
                call -> call.ask(Broker::lease, call.part("leaseId"))),
        Route.post("/api/v1/lease/{leaseId}/settle", Access.CONSUME)
            .summary("Settle all that a lease still holds")
            .traffic("settle-lease", "kill")
            .body(SETTLE)
            .answers(
                "decided; success says whether anything was settled",
                SETTLED,
                LeaseRoutes::settle));
  }

  private static AsyncAnswer<Extended> extend(Call call) {
    String leaseId = call.part("leaseId");
    Values in = call.jsonOrEmpty(EXTEND);
    ExtendRequest request = new ExtendRequest(leaseId, in.get(SECONDS) * 1000, in.get(WAIT));
    AsyncResult<Extended> asked = call.broker().extendAsync(request);
    return new AsyncAnswer<>(
        request.waitMs() == 0 ? asked : call.whileConnected(asked),
        result -> Answer.ok(EXTENDED, extension(leaseId, result)));
  }

  private static Extension extension(String leaseId, Result<Extended> result) {
    if (result instanceof Result.Ok<Extended> ok) {
      return new Extension(leaseId, ok.value(), null);
    }
    Refusal why = result.refusal();
    if (why.code() != ErrorCode.STALE_LEASE) {
      throw Problem.refused(why);
    }
    return new Extension(leaseId, null, why);
  }

  private static SettledLease settle(Call call) {
    String leaseId = call.part("leaseId");
    AckItem item = AckItem.ofLease(leaseId, call.json(SETTLE));
    SettleRequest request = SettleRequest.of(item.settle(null, null));
    return new SettledLease(leaseId, call.ask(Broker::settle, request).verdicts().getFirst());
  }

  /** The routes about the leases of a queue. */
  public static List<Route> ofQueue() {
    return Route.about(
        "Queues",
        Route.get("/api/v1/resources/queues/{queue}/leases")
            .summary("List the live leases of a queue, those that end first in front")
            .query(GROUP, Paging.AFTER, Paging.LIMIT)
            .answers("a page; it may be short although there is a next", PAGE, LeaseRoutes::list));
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
