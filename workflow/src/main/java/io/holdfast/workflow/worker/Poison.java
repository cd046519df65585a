package io.holdfast.workflow.worker;

import io.holdfast.workflow.message.TurnMessage;

/** The reason of a flow that is blocked because workers died. */
final class Poison {
  private static final String DIED = " workers died while they ";

  private Poison() {}

  static String words(int deaths) {
    return deaths + DIED + "had a turn of this flow.";
  }

  static String words(TurnMessage.Poison poison) {
    return poison.attempts()
        + DIED
        + "did activity '"
        + poison.activity()
        + "' (event "
        + poison.task()
        + ").";
  }
}
