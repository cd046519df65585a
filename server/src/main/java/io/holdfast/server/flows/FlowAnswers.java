package io.holdfast.server.flows;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.RefusedException;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.workflow.FlowException;

/** Turns what is said of flows into what a client is told. */
final class FlowAnswers {
  private FlowAnswers() {}

  /** The same action; what it refuses becomes a problem. */
  static Route.Action telling(Route.Action action) {
    return call -> answer(action, call);
  }

  private static Answer answer(Route.Action action, Call call) {
    try {
      return action.answer(call);
    } catch (FlowException refused) {
      throw problem(refused);
    } catch (RefusedException refused) {
      throw Problem.refused(refused.refusal());
    } catch (InvalidArgumentException wrong) {
      throw Problem.argument("", wrong);
    }
  }

  private static Problem problem(FlowException refused) {
    String text = String.valueOf(refused.getMessage());
    return switch (refused.reason()) {
      case NOT_FOUND -> Problem.notFound(text);
      case WRONG_STATUS -> Problem.of(409, ErrorCode.WRONG_STATE.name(), text);
      default -> Problem.of(409, refused.reason().name(), text);
    };
  }
}
