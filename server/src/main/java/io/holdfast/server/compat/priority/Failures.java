package io.holdfast.server.compat.priority;

import io.holdfast.json.JsonOut;
import io.holdfast.json.Schema;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Problem;

/** Errors with the fields {@code success} and {@code message} before the usual ones. */
final class Failures {
  static final Schema SHAPE =
      Schema.fields(
          Schema.required("success", Schema.FLAG, "false."),
          Schema.required("message", Schema.TEXT, "What is wrong."),
          Schema.optional("error_code", Schema.TEXT, "LOCK_EXPIRED if the lock has expired."),
          Schema.required("error", Schema.TEXT, "The same as message."),
          Schema.required("code", Schema.TEXT, "The same for programs."));

  private Failures() {}

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
}
