package io.holdfast.workflow.message;

import io.holdfast.api.wire.Form;
import io.holdfast.workflow.history.Event;

/** How what is sent and kept becomes bytes. */
public final class Forms {
  public static final Form<TurnMessage> TURN = Form.of(TurnMessage.class);
  public static final Form<WorkOrder> WORK = Form.of(WorkOrder.class);
  public static final Form<Event> EVENT = Form.of(Event.class);

  private Forms() {}
}
