package io.holdfast.server.access;

import io.holdfast.api.Broker;
import io.holdfast.api.CommitRequest;
import io.holdfast.api.Committed;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.Operation;
import io.holdfast.api.Result;
import io.holdfast.server.http.Access;
import java.util.List;
import java.util.Locale;

/**
 * A broker that commits for a caller only what the caller's role may do by itself: pushes need
 * {@link Access#PUSH}, all else needs {@link Access#CONSUME}.
 *
 * <p>It is for faces that pass on what a client put into a commit, because their routes cannot say
 * beforehand what that is.
 *
 * <p>Thread: any that answers a request.
 */
public final class CommitRoles extends ForwardingBroker {
  public CommitRoles(Broker target) {
    super(target);
  }

  @Override
  public Result<Committed> commit(CommitRequest request) {
    Grant grant = Caller.currentGrant();
    if (grant.may(Access.PUSH) && grant.may(Access.CONSUME)) {
      return super.commit(request);
    }
    List<Operation> operations = request.operations();
    for (int i = 0; i < operations.size(); i++) {
      Access needed = needed(operations.get(i));
      if (!grant.may(needed)) {
        return Result.refused(
            ErrorCode.FORBIDDEN,
            "%s has the role %s; operation %d needs the access %s, which %s have"
                .formatted(
                    grant.told(),
                    grant.role().word(),
                    i,
                    needed.name().toLowerCase(Locale.ROOT),
                    String.join(", ", Role.wordsWith(needed))));
      }
    }
    return super.commit(request);
  }

  private static Access needed(Operation operation) {
    return operation instanceof Operation.PushMessage ? Access.PUSH : Access.CONSUME;
  }
}
