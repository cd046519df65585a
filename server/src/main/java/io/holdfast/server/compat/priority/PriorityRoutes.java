package io.holdfast.server.compat.priority;

import io.holdfast.json.JsonOut;
import io.holdfast.json.Schema;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import java.util.List;

/**
 * The routes of a priority queue: one queue for each id, its priorities the lanes of the partition
 * {@code Default}, and the lease of the group of competing consumers its one lock.
 */
public final class PriorityRoutes {
  /** Errors have the fields success and message before the usual ones. */
  static final Schema FAILURE =
      Schema.fields(
          Schema.required("success", Schema.FLAG, "false."),
          Schema.required("message", Schema.TEXT, "What is wrong."),
          Schema.optional("error_code", Schema.TEXT, "LOCK_EXPIRED if the lock has expired."),
          Schema.required("error", Schema.TEXT, "The same as message."),
          Schema.required("code", Schema.TEXT, "The same for programs."));

  private PriorityRoutes() {}

  public static List<Route> routes() {
    return Route.about(
        "Priority queue", PushItemsRoute.route(), PopItemsRoute.route(), AcknowledgeRoute.route());
  }

  static Answer failure(Problem problem) {
    return problem.answer(beginFailure(problem));
  }

  /** The object of a failure, so that more can be put into it. */
  static JsonOut beginFailure(Problem problem) {
    return new JsonOut()
        .beginObject()
        .put("success", false)
        .put("message", String.valueOf(problem.getMessage()));
  }
}
