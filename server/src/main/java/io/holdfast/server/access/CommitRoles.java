package io.holdfast.server.access;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.VerbStep;
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
public final class CommitRoles extends VerbStep {
  public CommitRoles(Broker target) {
    super(target);
  }

  @Override
  protected <I, O> Result<O> ask(Verb<I, O> verb, I request) {
    Result<O> refusal = refusal(request);
    return refusal == null ? super.ask(verb, request) : refusal;
  }

  @Override
  protected <I, O> AsyncResult<O> askAsync(Verb<I, O> verb, I request) {
    Result<O> refusal = refusal(request);
    return refusal == null ? super.askAsync(verb, request) : AsyncResult.of(refusal);
  }

  private <O> @Nullable Result<O> refusal(Object request) {
    return switch (request) {
      case CommitRequest commit -> refusal(commit);
      case ConfigureRequest configure -> refusal(configure);
      default -> null;
    };
  }

  private static <O> @Nullable Result<O> refusal(CommitRequest request) {
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

  private <O> @Nullable Result<O> refusal(ConfigureRequest request) {
    Grant grant = Caller.currentGrant();
    if (grant.may(Access.ADMIN) || !leavesInTheClear(request)) {
      return null;
    }
    Result<QueueInfo> before = target().queue(request.queue());
    if (before.isOk()) {
      return before.orThrow().options().flag(QueueOption.ENCRYPTION)
          ? refused(grant, "to turn encryptionEnabled off", Access.ADMIN)
          : null;
    }
    return before.refusal().code() == ErrorCode.NOT_FOUND ? null : Result.refused(before.refusal());
  }

  /** Whether a queue is not encrypted after it, whatever it was before. */
  private static boolean leavesInTheClear(ConfigureRequest request) {
    return request.changes().containsKey(QueueOption.ENCRYPTION)
        ? !Boolean.TRUE.equals(request.changes().get(QueueOption.ENCRYPTION))
        : request.replace();
  }
}
