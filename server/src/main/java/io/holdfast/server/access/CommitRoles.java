package io.holdfast.server.access;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingAsyncBroker;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.server.http.Access;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A broker that does for a caller only what the caller's role may, where a route cannot say
 * beforehand what that is.
 *
 * <p>In a commit pushes need {@link Access#PUSH}, removing dead letters needs {@link Access#ADMIN},
 * and all else needs {@link Access#CONSUME}, as they do by themselves. Of the options of a queue
 * only to turn its encryption off needs {@link Access#ADMIN}.
 *
 * <p>Thread: any that answers a request.
 */
public final class CommitRoles extends ForwardingAsyncBroker {
  public CommitRoles(Broker target) {
    super(target);
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    Result<Committed> refusal = refusal(request);
    return refusal == null ? super.commit(request) : refusal;
  }

  @Override
  public AsyncResult<Committed> commitAsync(CommitRequest request) {
    Result<Committed> refusal = refusal(request);
    return refusal == null ? target().commitAsync(request) : AsyncResult.of(refusal);
  }

  private static @Nullable Result<Committed> refusal(CommitRequest request) {
    Grant grant = Caller.currentGrant();
    if (grant.may(Access.ADMIN)) {
      return null;
    }
    List<Operation> operations = request.operations();
    for (int i = 0; i < operations.size(); i++) {
      Access needed = needed(operations.get(i));
      if (!grant.may(needed)) {
        return refused(grant, "operation " + i, needed);
      }
    }
    return null;
  }

  private static <T> Result<T> refused(Grant grant, String what, Access needed) {
    return Result.refused(
        ErrorCode.FORBIDDEN,
        "%s has the role %s; %s needs the access %s, which %s have"
            .formatted(
                grant.told(),
                grant.role().word(),
                what,
                needed.name().toLowerCase(Locale.ROOT),
                String.join(", ", Role.wordsWith(needed))));
  }

  private static Access needed(Operation operation) {
    return switch (operation) {
      case Operation.PushMessage push -> Access.PUSH;
      case Operation.RemoveDead remove -> Access.ADMIN;
      default -> Access.CONSUME;
    };
  }

  @Override
  public Result<QueueInfo> configure(ConfigureRequest request) {
    Grant grant = Caller.currentGrant();
    if (grant.may(Access.ADMIN) || !leavesInTheClear(request)) {
      return super.configure(request);
    }
    Result<QueueInfo> before = super.queue(request.queue());
    if (before.isOk()) {
      return before.orThrow().options().flag(QueueOption.ENCRYPTION)
          ? refused(grant, "to turn encryptionEnabled off", Access.ADMIN)
          : super.configure(request);
    }
    return before.refusal().code() == ErrorCode.NOT_FOUND ? super.configure(request) : before;
  }

  /** Whether a queue is not encrypted after it, whatever it was before. */
  private static boolean leavesInTheClear(ConfigureRequest request) {
    return request.changes().containsKey(QueueOption.ENCRYPTION)
        ? !Boolean.TRUE.equals(request.changes().get(QueueOption.ENCRYPTION))
        : request.replace();
  }
}
