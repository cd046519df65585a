package io.holdfast.server.priority;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Result;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;

/** What went wrong, told with {@code success} and {@code message} besides the usual keys. */
final class Failures {
  static final Shape SHAPE =
      Shape.fields(
          Shape.required("success", Shape.FLAG, "false."),
          Shape.required("message", Shape.TEXT, "What is wrong."),
          Shape.optional("error_code", Shape.TEXT, "LOCK_EXPIRED if the lock has expired."),
          Shape.required("error", Shape.TEXT, "The same as message."),
          Shape.required("code", Shape.TEXT, "The same for programs."));

  private Failures() {}

  /** An action whose problems are told so. */
  static Route.Action told(Route.Action action) {
    return call -> {
      try {
        return action.answer(call);
      } catch (Problem problem) {
        return answer(problem);
      } catch (InvalidArgumentException refused) {
        return answer(Problem.argument("", refused));
      }
    };
  }

  static Answer answer(Problem problem) {
    return problem.answer(begin(problem));
  }

  /** The object of a failure, so that more can be put into it. */
  static JsonOut begin(Problem problem) {
    return new JsonOut()
        .beginObject()
        .put("success", false)
        .put("message", String.valueOf(problem.getMessage()));
  }

  static <T> T orThrow(Result<T> result) {
    if (result instanceof Result.Ok<T> ok) {
      return ok.value();
    }
    throw Problem.refused(result.refusal());
  }
}
