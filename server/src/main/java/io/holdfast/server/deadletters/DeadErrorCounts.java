package io.holdfast.server.deadletters;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.dead.DeadErrors;
import io.holdfast.api.dead.DeadErrorsRequest;
import io.holdfast.server.http.Refusals;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the dead letters of queues died of, remembered so that only those that are new have to be
 * read.
 *
 * <p>Dead letters are added at the end; so long as none was taken away, it goes on where it ended.
 * Whether one was, the count tells: there are then fewer than were read.
 *
 * <p>Thread: any, one at a time.
 */
final class DeadErrorCounts {
  /** Most queues that are remembered. */
  private static final int QUEUES_MAX = 100;

  /** How long what was counted holds, whatever happened since. */
  private static final long FRESH_NANOS = 2_000_000_000L;

  /** Where more was left than was read, how long it holds: what goes there is not noticed. */
  private static final long CUT_NANOS = 60_000_000_000L;

  /**
   * What was counted of one queue.
   *
   * @param looked how many dead letters were read
   * @param complete whether that was all
   */
  record Counted(
      Map<String, DeadErrors.Kind> kinds,
      long looked,
      @Nullable String last,
      boolean complete,
      long nanos) {}

  private static final class Kept extends LinkedHashMap<String, Counted> {
    private static final long serialVersionUID = 1L;

    private Kept() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Counted> eldest) {
      return size() > QUEUES_MAX;
    }
  }

  private final TimeSource time;
  private final Kept kept = new Kept();

  DeadErrorCounts(TimeSource time) {
    this.time = time;
  }

  synchronized Counted of(Broker broker, String queue) {
    Counted known = kept.get(queue);
    long nanos = time.nanos();
    if (known != null && nanos - known.nanos < (known.complete ? FRESH_NANOS : CUT_NANOS)) {
      return known;
    }
    Counted counted = known != null && known.complete ? more(broker, queue, known, nanos) : null;
    if (counted == null || counted.looked > count(broker, queue)) {
      counted = more(broker, queue, new Counted(Map.of(), 0, null, true, nanos), nanos);
    }
    kept.put(queue, counted);
    return counted;
  }

  private static long count(Broker broker, String queue) {
    return Refusals.orThrow(broker.queue(queue)).counts().dead();
  }

  private static Counted more(Broker broker, String queue, Counted before, long nanos) {
    int most = (int) Math.max(1, DeadErrorsRequest.LOOKED_MAX - before.looked);
    DeadErrors found =
        Refusals.orThrow(broker.deadErrors(new DeadErrorsRequest(queue, before.last, most)));
    Map<String, DeadErrors.Kind> kinds = new HashMap<>(before.kinds);
    found.errors().forEach(kind -> kinds.merge(kind.error(), kind, DeadErrorCounts::joined));
    return new Counted(
        kinds, before.looked + found.looked(), found.last(), found.complete(), nanos);
  }

  private static DeadErrors.Kind joined(DeadErrors.Kind before, DeadErrors.Kind after) {
    return new DeadErrors.Kind(
        after.error(),
        after.sample(),
        before.count() + after.count(),
        before.firstMs(),
        after.lastMs(),
        after.messageId());
  }
}
