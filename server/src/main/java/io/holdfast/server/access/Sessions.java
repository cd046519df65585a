package io.holdfast.server.access;

import io.holdfast.api.TimeSource;
import io.holdfast.server.http.Digests;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Browsers that showed a token once, and go by a cookie since.
 *
 * <p>Invariant: a session lets in nobody whom its token would not; it ends with it, after {@link
 * #LENGTH_MS}, or when its browser signs out. Of its id only the hash is kept, and only in memory.
 *
 * <p>Thread: any.
 */
final class Sessions {
  /** Most at once; of more, the oldest ends. */
  static final int SESSIONS_MAX = 1_000;

  /** Most of one token: so whoever has one signs out nobody else. */
  static final int TOKEN_SESSIONS_MAX = 20;

  static final long LENGTH_MS = 12 * 3_600_000L;
  private static final int ID_BYTES = 32;

  private record Session(Grant grant, long untilMs) {}

  private final Tokens tokens;
  private final TimeSource time;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Session> sessions = new LinkedHashMap<>();

  Sessions(Tokens tokens, TimeSource time) {
    this.tokens = tokens;
    this.time = time;
  }

  /** Begins a session; its id is told this once. */
  String open(Grant grant) {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    boolean any;
    synchronized (sessions) {
      any = forgetOver();
      any |= forgetOldest(own -> own.grant.id().equals(grant.id()), TOKEN_SESSIONS_MAX);
      any |= forgetOldest(all -> true, SESSIONS_MAX);
      sessions.put(hash(id), new Session(grant, time.wallMs() + LENGTH_MS));
    }
    if (any) {
      tokens.tellListeners();
    }
    return id;
  }

  /** Makes place for one more of some, of which there may be so many. */
  private boolean forgetOldest(Predicate<Session> some, int most) {
    long over = sessions.values().stream().filter(some).count() - most + 1;
    boolean any = over > 0;
    Iterator<Session> oldest = sessions.values().iterator();
    while (over > 0 && oldest.hasNext()) {
      if (some.test(oldest.next())) {
        oldest.remove();
        over--;
      }
    }
    return any;
  }

  /** What whoever shows a session may; null if it is none, or over. */
  @Nullable Grant find(String id) {
    Session session;
    synchronized (sessions) {
      session = sessions.get(hash(id));
    }
    return session != null && isGood(session) ? session.grant : null;
  }

  private boolean isGood(Session session) {
    return session.untilMs > time.wallMs() && tokens.isGood(session.grant);
  }

  /** Ends a session, if it is one. */
  void end(String id) {
    synchronized (sessions) {
      sessions.remove(hash(id));
    }
    tokens.tellListeners();
  }

  /** Forgets those that are over; whether there were any. */
  boolean look() {
    synchronized (sessions) {
      return forgetOver();
    }
  }

  private boolean forgetOver() {
    return sessions.values().removeIf(session -> !isGood(session));
  }

  int size() {
    synchronized (sessions) {
      return sessions.size();
    }
  }

  private static String hash(String id) {
    return HexFormat.of().formatHex(Digests.sha256(id));
  }
}
