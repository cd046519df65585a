package io.holdfast.server.http;

import io.holdfast.api.TimeSource;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers of requests that have the header {@value #HEADER}, for repeats of them.
 *
 * <p>Only what was done is kept: a request that failed is executed again. Answers are kept in
 * memory, until they are old or there are too many; the broker itself keeps those of pushes,
 * commits and transactions, through a restart.
 *
 * <p>Thread: any.
 */
public final class IdempotencyKeys {
  public static final String HEADER = "Idempotency-Key";

  /** How long an answer is kept. */
  static final int KEPT_SECONDS = 600;

  /** The most answers that are kept. */
  static final int ANSWERS_MAX = 10_000;

  /** The most bytes of all answers that are kept. */
  static final int BYTES_MAX = 16 * 1024 * 1024;

  /** The longest key. */
  public static final int KEY_CHARS_MAX = 200;

  /** A key is one caller's, for one method and path. */
  private record Name(String caller, String method, String path, String key) {}

  /** A request and its answer; null while it is being executed. */
  private record Kept(byte[] digest, @Nullable Answer answer, long untilNanos) {
    int bytes() {
      return answer == null ? 0 : answer.body().length;
    }
  }

  private final TimeSource time;
  private final Map<Name, Kept> kept = new LinkedHashMap<>();
  private int bytes;

  public IdempotencyKeys(TimeSource time) {
    this.time = time;
  }

  /**
   * The key of a request; null if it has none.
   *
   * @throws Problem if it is not one
   */
  static @Nullable String of(RequestHead head) {
    String key = head.header(HEADER);
    if (key == null) {
      return null;
    }
    if (key.isEmpty()
        || key.length() > KEY_CHARS_MAX
        || key.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw Problem.field(
          HEADER, "expected 1 to " + KEY_CHARS_MAX + " visible ASCII characters, but got others");
    }
    return key;
  }

  /** Executes a request, unless it repeats one: then it gets the answer of the first. */
  Answer answer(RequestHead head, Pass caller, String key, byte[] body, Supplier<Answer> action) {
    Name name = new Name(caller.name(), head.method(), head.rawPath(), key);
    byte[] digest = digest(head.rawQuery(), body);
    Answer first = begin(name, digest);
    if (first != null) {
      return first.header("Idempotency-Replayed", "true");
    }
    Answer answer = null;
    try {
      answer = action.get();
    } finally {
      end(name, digest, answer);
    }
    Runnable undo = answer.ifUnsent();
    // What was undone because nobody got it is executed again.
    return undo == null
        ? answer
        : answer.undoing(
            undone -> {
              forget(name);
              undone.run();
            });
  }

  private static byte[] digest(String query, byte[] body) {
    MessageDigest digest = Digests.sha256();
    digest.update(query.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) '\n');
    return digest.digest(body);
  }

  /** Notes that a request is being executed; answers what its first execution did, if it did. */
  private synchronized @Nullable Answer begin(Name name, byte[] digest) {
    Kept found = kept.get(name);
    if (found == null || found.untilNanos() - time.nanos() <= 0) {
      forget(name);
      kept.put(name, new Kept(digest, null, until()));
      return null;
    }
    if (!Arrays.equals(found.digest(), digest)) {
      throw Problem.of(
          409, "REQUEST_ID_USED", HEADER + ": a request with other content has used this key");
    }
    if (found.answer() == null) {
      throw Problem.of(
          409, "REQUEST_RUNNING", HEADER + ": the first request with this key is still running");
    }
    return found.answer();
  }

  private long until() {
    return time.nanos() + TimeUnit.SECONDS.toNanos(KEPT_SECONDS);
  }

  private synchronized void end(Name name, byte[] digest, @Nullable Answer answer) {
    forget(name);
    if (answer != null && answer.status() < 300 && answer.streaming() == null) {
      Answer plain =
          Answer.of(answer.status(), answer.contentType(), answer.body(), answer.headers());
      kept.put(name, new Kept(digest, plain, until()));
      bytes += answer.body().length;
      trim();
    }
  }

  private synchronized void forget(Name name) {
    Kept removed = kept.remove(name);
    bytes -= removed == null ? 0 : removed.bytes();
  }

  /** Drops the oldest answers while there are too many. Requests that are executed stay. */
  private void trim() {
    Iterator<Kept> oldest = kept.values().iterator();
    while ((kept.size() > ANSWERS_MAX || bytes > BYTES_MAX) && oldest.hasNext()) {
      Kept next = oldest.next();
      if (next.answer() != null) {
        bytes -= next.bytes();
        oldest.remove();
      }
    }
  }
}
