package io.holdfast.workflow.admin;

import io.holdfast.api.Limits;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.wire.WireException;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.FlowException;
import io.holdfast.workflow.FlowException.Reason;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.history.Describe;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.history.History;
import io.holdfast.workflow.message.Forms;
import io.holdfast.workflow.store.FlowRecord;
import io.holdfast.workflow.store.FlowStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The histories of flows as people read them; one that cannot be read as a whole is shown as far as
 * it can.
 *
 * <p>Thread: any.
 */
final class FlowHistory {
  private static final JsonFactory JSON = new JsonFactory();

  private final FlowStore store;

  FlowHistory(FlowStore store) {
    this.store = store;
  }

  HistoryPage page(String id, FlowRecord flow, long execution, long from, int limit) {
    long number = execution == 0 ? flow.execution() : execution;
    if (number == 0) {
      return new HistoryPage(id, 0, List.of(), 0, -1);
    }
    if (number < flow.oldest() || number > flow.execution()) {
      throw new FlowException(
          Reason.NOT_FOUND,
          "flow "
              + id
              + " has the executions "
              + flow.oldest()
              + " to "
              + flow.execution()
              + ", but "
              + number
              + " was asked for");
    }
    ExecutionId asked = flow.executionId(id).withNumber(number);
    JournalPage page = journal(asked, from, limit);
    List<History.Entry> rewinds = rewinds(asked, from, page);
    List<HistoryEvent> events = new ArrayList<>(page.events().size());
    for (byte[] row : page.events()) {
      long place = from + events.size();
      events.add(event(place, row, voidSince(place, rewinds)));
    }
    long end = from + events.size();
    return new HistoryPage(
        id, number, events, page.length(), events.isEmpty() || end >= page.length() ? -1 : end);
  }

  /** All rewinds of an execution from a page on: those behind it void what is on it. */
  private List<History.Entry> rewinds(ExecutionId id, long from, JournalPage first) {
    List<History.Entry> rewinds = new ArrayList<>();
    JournalPage page = first;
    long place = from;
    while (!page.events().isEmpty()) {
      for (byte[] row : page.events()) {
        if (read(row) instanceof Event.Rewound rewound) {
          rewinds.add(new History.Entry(place, rewound));
        }
        place++;
      }
      if (place >= page.length()) {
        break;
      }
      page = journal(id, place, Limits.PAGE_MAX);
    }
    return rewinds;
  }

  /** The first rewind that an event does not count since; -1 if it counts. */
  private static long voidSince(long place, List<History.Entry> rewinds) {
    for (History.Entry entry : rewinds) {
      if (entry.number() > place
          && entry.event() instanceof Event.Rewound rewound
          && rewound.to() <= place) {
        return entry.number();
      }
    }
    return -1;
  }

  private JournalPage journal(ExecutionId id, long from, int limit) {
    return store
        .broker()
        .journal(new JournalRequest(store.keys().history(id), from, limit))
        .orThrow();
  }

  List<ExecutionInfo> executions(String id, FlowRecord flow) {
    List<ExecutionInfo> executions = new ArrayList<>();
    for (long number = Math.max(1, flow.oldest()); number <= flow.execution(); number++) {
      ExecutionId one = flow.executionId(id).withNumber(number);
      if (isKept(one)) {
        executions.add(execution(one, flow));
      }
    }
    return executions;
  }

  /**
   * Whether the history of an execution is there: the record may say so although it was pruned, if
   * a worker wrote it that had it in memory.
   */
  boolean isKept(ExecutionId id) {
    return store.length(id) > 0;
  }

  private ExecutionInfo execution(ExecutionId id, FlowRecord flow) {
    long number = id.number();
    JournalPage begin = journal(id, 0, 1);
    Event first = begin.events().isEmpty() ? null : read(begin.events().getFirst());
    boolean current = number == flow.execution();
    String version = first instanceof Event.Started started ? started.version() : null;
    long startedMs = first == null ? 0 : first.timeMs();
    if (current && !flow.isEnded()) {
      return new ExecutionInfo(number, version, startedMs, 0, null, flow.status(), begin.length());
    }
    List<byte[]> rows =
        begin.length() == 0 ? List.of() : journal(id, begin.length() - 1, 1).events();
    Event last = rows.isEmpty() ? null : read(rows.getFirst());
    return new ExecutionInfo(
        number,
        version,
        startedMs,
        last == null ? flow.sinceMs() : last.timeMs(),
        last == null ? "unreadable" : Describe.event(last),
        current ? flow.status() : FlowStatus.COMPLETED,
        begin.length());
  }

  /** When an execution ended; 0 if it has not, or it cannot be told. */
  long endedMs(ExecutionId id) {
    long length = store.length(id);
    if (length == 0) {
      return 0;
    }
    List<byte[]> rows = journal(id, length - 1, 1).events();
    Event last = rows.isEmpty() ? null : read(rows.getFirst());
    return last instanceof Event.End ? last.timeMs() : 0;
  }

  private static @Nullable Event read(byte[] row) {
    try {
      return Forms.EVENT.read(row);
    } catch (WireException e) {
      return null;
    }
  }

  private static HistoryEvent event(long number, byte[] row, long voidSince) {
    Event event;
    try {
      event = Forms.EVENT.read(row);
    } catch (WireException e) {
      String words = "cannot be read: " + e.getMessage();
      return new HistoryEvent(
          number, 0, HistoryEvent.UNREADABLE, words, -1, row, null, null, voidSince);
    }
    byte[] payload = payload(event);
    return new HistoryEvent(
        number,
        event.timeMs(),
        Describe.kind(event),
        Describe.event(event),
        task(event),
        payload,
        payload == null ? null : json(payload),
        failure(event),
        voidSince);
  }

  private static byte @Nullable [] payload(Event event) {
    return switch (event) {
      case Event.Started e -> e.input();
      case Event.Completed e -> e.result();
      case Event.Received e -> e.data();
      case Event.CallScheduled e -> e.input();
      case Event.StepDone e -> e.result();
      case Event.SubStarted e -> e.input();
      case Event.Launched e -> e.input();
      case Event.FlowCompleted e -> e.output();
      case Event.ContinuedAsNew e -> e.input();
      default -> null;
    };
  }

  private static long task(Event event) {
    return switch (event) {
      case Event.Completed e -> e.task();
      case Event.Failed e -> e.task();
      case Event.Fired e -> e.task();
      case Event.TaskCancelled e -> e.task();
      case Event.FlowFailed e -> e.task();
      case Event.Rewound e -> e.to();
      default -> -1;
    };
  }

  private static @Nullable Failure failure(Event event) {
    return switch (event) {
      case Event.Failed e -> e.failure();
      case Event.StepDone e -> e.failure();
      case Event.FlowFailed e -> e.failure();
      default -> null;
    };
  }

  /** Bytes as the JSON text that they are; null if they are none. */
  static @Nullable String json(byte[] bytes) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), bytes)) {
      if (parser.nextToken() == null) {
        return null;
      }
      parser.skipChildren();
      return parser.nextToken() == null ? new String(bytes, StandardCharsets.UTF_8) : null;
    } catch (JacksonException e) {
      return null;
    }
  }
}
