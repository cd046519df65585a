package io.holdfast.server.traces;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.server.http.Pages;
import io.holdfast.server.http.Refusals;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The notes of a broker, the newest of them: each is a record, and what is known of all is in
 * memory.
 *
 * <p>Invariant: there are at most {@link #TRACES_MAX}, and of each queue {@link #OF_QUEUE_MAX}. One
 * more takes the place of the oldest of its queue, or of the queue that has most, in one commit: so
 * nobody can drive out the notes of queues that are not theirs but by sharing the room with them.
 * They are read when somebody first asks.
 *
 * <p>Thread: any, one at a time.
 */
final class Traces {
  static final String PREFIX = "holdfast/trace/";

  /** null in JSON. */
  static final byte[] NOTHING = {'n', 'u', 'l', 'l'};

  /** Most notes that are kept. */
  static final int TRACES_MAX = 10_000;

  /** Most notes that are kept of one queue. */
  static final int OF_QUEUE_MAX = 1_000;

  private final Broker broker;
  private final Deque<Trace> traces = new ArrayDeque<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private boolean read;

  Traces(Broker broker) {
    this.broker = broker;
  }

  private void readOnce() {
    if (read) {
      return;
    }
    traces.clear();
    counts.clear();
    Pages.stream(
            after ->
                Refusals.orThrow(
                    broker.records(new RecordsRequest(PREFIX, after, Limits.PAGE_MAX))))
        .forEach(
            stored -> {
              Trace trace = Trace.read(stored.value());
              // Another record under the prefix must not hide the notes.
              if (trace != null && trace.key().equals(stored.key())) {
                keep(trace);
              }
            });
    read = true;
  }

  /** Keeps a note, behind all others; answers it as it is kept. */
  synchronized Trace add(Trace wish, byte[] data) {
    readOnce();
    Trace trace = wish.behind(traces.peekLast());
    List<Operation> operations = new ArrayList<>();
    operations.add(new Operation.PutRecord(trace.key(), 0, trace.bytes(data)));
    Trace oldest = leaving(trace.queue());
    if (oldest != null) {
      operations.add(new Operation.DeleteRecord(oldest.key(), Operation.ANY_VERSION));
    }
    Refusals.orThrow(broker.commit(new CommitRequest(operations, null)));
    if (oldest != null) {
      traces.removeFirstOccurrence(oldest);
      counts.merge(oldest.queue(), -1, (all, one) -> all + one == 0 ? null : all + one);
    }
    keep(trace);
    return trace;
  }

  private void keep(Trace trace) {
    traces.addLast(trace);
    counts.merge(trace.queue(), 1, Integer::sum);
  }

  /** The note that one of a queue takes the place of; null if there is room. */
  private @Nullable Trace leaving(String queue) {
    String full = queue;
    if (counts.getOrDefault(queue, 0) < OF_QUEUE_MAX) {
      if (traces.size() < TRACES_MAX) {
        return null;
      }
      full = Collections.max(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
    }
    for (Trace trace : traces) {
      if (trace.queue().equals(full)) {
        return trace;
      }
    }
    return null;
  }

  /** All of them, the oldest first. */
  synchronized List<Trace> all() {
    readOnce();
    return List.copyOf(traces);
  }

  /** What a note says; null in JSON if it is gone meanwhile. */
  byte[] data(Trace trace) {
    byte[] stored = Refusals.orThrow(broker.record(new RecordRequest(trace.key(), 0, 0))).value();
    return stored.length == 0 ? NOTHING.clone() : Trace.data(stored);
  }
}
