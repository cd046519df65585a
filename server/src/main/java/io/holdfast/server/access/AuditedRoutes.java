package io.holdfast.server.access;

import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Auditing;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;

/**
 * Routes whose calls are acts of operators: each call writes one line of the audit log, also one
 * that is refused or fails.
 */
public final class AuditedRoutes {
  private static final int ACCEPTED = 202;

  private AuditedRoutes() {}

  /** The same route; if it declares that each call is an act, with a line for each call. */
  public static Route of(Route route) {
    return route.audit().lines() == Auditing.Lines.EACH_CALL
        ? route.doing(call -> answer(route, call))
        : route;
  }

  private static Answer answer(Route route, Call call) {
    Auditing audit = route.audit();
    Audit line = Audit.of(audit.acts().getFirst());
    call.parts()
        .forEach((name, part) -> line.put(name.equals("id") ? audit.subject() : name, part));
    line.put("query", call.query().isEmpty() ? null : call.query());
    String result = "INTERNAL";
    try {
      Answer answer = line.during(() -> route.action().answer(call));
      boolean ended = answer.streaming() == null && answer.status() != ACCEPTED;
      result = ended ? "OK" : "STARTED";
      return answer;
    } catch (RuntimeException failed) {
      Problem problem = Problem.from(failed);
      result = problem == null ? result : problem.code();
      throw failed;
    } finally {
      line.result(result);
    }
  }
}
