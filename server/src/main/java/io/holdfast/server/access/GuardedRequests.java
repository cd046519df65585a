package io.holdfast.server.access;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Requests that name several things, as far as a caller whose token is limited may ask them. */
final class GuardedRequests {
  /** How the keys of the records begin that the server keeps for itself. */
  static final String OWN_RECORDS = "holdfast/";

  private final Belongings belongings;

  GuardedRequests(Belongings belongings) {
    this.belongings = belongings;
  }

  Result<PushRequest> push(Grant grant, PushRequest request) {
    for (NewMessage message : request.messages()) {
      if (!grant.covers(message.queue())) {
        return GuardedBroker.forbidden(grant, "queue", message.queue());
      }
    }
    return Result.ok(
        new PushRequest(request.messages(), own(grant, request.requestId()), request.number()));
  }

  /**
   * The name that a token gives its request, so that nobody can use up another's: a repeat is
   * answered what the first was, whoever asked that.
   */
  static @Nullable String own(Grant grant, @Nullable String requestId) {
    return requestId == null
        ? null
        : grant.id()
            + "/"
            + UUID.nameUUIDFromBytes(
                (grant.id() + "/" + requestId).getBytes(StandardCharsets.UTF_8));
  }

  Result<PopRequest> pop(Grant grant, PopRequest request) {
    String queue = queue(request.source());
    if (queue == null) {
      return Result.refused(
          ErrorCode.FORBIDDEN,
          "%s is for %s; pops by namespace or task need a token for all queues"
              .formatted(grant.told(), grant.names()));
    }
    if (!grant.covers(queue)) {
      return GuardedBroker.forbidden(grant, "queue", queue);
    }
    Result<PopRequest> allowed =
        request.settles().isEmpty()
            ? Result.ok(request)
            : belongings.settles(grant, request.settles()).map(request::settles);
    String join = request.joinLease();
    return join == null
        ? allowed
        : allowed.flatMap(pop -> belongings.lease(grant, join).map(pop::joinLease));
  }

  private static @Nullable String queue(PopSource source) {
    return switch (source) {
      case PopSource.WholeQueue whole -> whole.queue();
      case PopSource.OnePartition one -> one.queue();
      case PopSource.Tagged tagged -> null;
    };
  }

  /** Remembers the lease that a pop brought, and the partitions it took from. */
  Result<Popped> learned(PopRequest request, Result<Popped> popped) {
    String queue = queue(request.source());
    if (queue != null
        && popped instanceof Result.Ok<Popped> ok
        && !ok.value().leaseId().isEmpty()) {
      belongings.learn(ok.value().leaseId(), queue);
      long last = 0;
      for (Delivery delivery : ok.value().messages()) {
        long partition = delivery.message().position().partition();
        if (partition != last) {
          belongings.learn(partition, queue);
          last = partition;
        }
      }
    }
    return popped;
  }

  /** The first record of the server's own that a commit would change; null if there is none. */
  static @Nullable String ownRecord(CommitRequest request) {
    for (Operation operation : request.operations()) {
      String key =
          switch (operation) {
            case Operation.PutRecord put -> put.key();
            case Operation.DeleteRecord delete -> delete.key();
            default -> "";
          };
      if (key.startsWith(OWN_RECORDS)) {
        return key;
      }
    }
    return null;
  }

  Result<CommitRequest> commit(Grant grant, CommitRequest request) {
    return Result.each(request.operations(), operation -> operation(grant, operation))
        .map(
            allowed ->
                new CommitRequest(allowed, own(grant, request.requestId()), request.number()));
  }

  private Result<Operation> operation(Grant grant, Operation operation) {
    return switch (operation) {
      case Operation.PushMessage push -> named(grant, "queue", push.message().queue(), push);
      case Operation.SettleMessage settle ->
          belongings.settle(grant, settle.settle()).map(Operation.SettleMessage::new);
      case Operation.CancelMessage cancel ->
          belongings.message(grant, cancel.message()).map(Operation.CancelMessage::new);
      case Operation.RemoveDead remove -> named(grant, "queue", remove.queue(), remove);
      case Operation.AppendJournal append -> named(grant, "journal", append.journal(), append);
      case Operation.DeleteJournal delete -> named(grant, "journal", delete.journal(), delete);
      case Operation.PutRecord put -> named(grant, "record", put.key(), put);
      case Operation.DeleteRecord delete -> named(grant, "record", delete.key(), delete);
    };
  }

  private static Result<Operation> named(
      Grant grant, String kind, String name, Operation operation) {
    return grant.covers(name) ? Result.ok(operation) : GuardedBroker.forbidden(grant, kind, name);
  }
}
