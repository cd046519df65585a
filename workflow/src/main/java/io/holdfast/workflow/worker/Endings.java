package io.holdfast.workflow.worker;

import io.holdfast.workflow.Failure;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.history.History;
import io.holdfast.workflow.history.TaskKind;
import io.holdfast.workflow.message.TurnMessage;
import io.holdfast.workflow.store.Changes;
import io.holdfast.workflow.store.FlowRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the end of a flow means for others. */
final class Endings {
  private Endings() {}

  /** Stops all that a flow has under way, without its code. */
  static void stopTasks(Changes changes, ExecutionId id, @Nullable History history, String reason) {
    if (history == null) {
      return;
    }
    List<Event> cancels = new ArrayList<>();
    for (Map.Entry<Long, Event> task : history.open().entrySet()) {
      Event begun = task.getValue();
      if (begun instanceof Event.SubStarted sub) {
        changes.send(
            sub.flow(), new TurnMessage.Terminate("its parent " + id.flow() + " ended: " + reason));
      } else {
        cancels.add(
            new Event.TaskCancelled(0, task.getKey(), TaskKind.of(begun), TaskKind.where(begun)));
      }
    }
    changes.effects(id, 0, cancels);
  }

  /** Tells the parent of a flow once more how it ended. */
  static void tellAgain(Changes changes, FlowRecord flow) {
    byte[] output = flow.output();
    Failure failure = flow.failure();
    if (output != null) {
      changes.answer(flow.parent(), output);
    } else if (failure != null) {
      changes.fail(flow.parent(), failure);
    }
  }
}
