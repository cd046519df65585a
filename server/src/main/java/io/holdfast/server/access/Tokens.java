package io.holdfast.server.access;

import io.holdfast.api.TimeSource;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens of a server: those of a file, as it last was whole.
 *
 * <p>Invariant: a damaged or missing file changes nothing; what it held before holds on, and the
 * log says so.
 *
 * <p>Thread: any; {@link #look} only one at a time.
 */
public final class Tokens {
  private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);

  /** Stands for a token that is not there, so that looking for one takes as long. */
  private static final byte[] NO_HASH = new byte[32];

  private record Entry(Token token, Grant grant, byte[] hash) {}

  private final TokenFile file;
  private final TimeSource time;
  private final AtomicReference<Map<String, Entry>> byId = new AtomicReference<>(Map.of());
  private final List<Runnable> listeners = new ArrayList<>();
  private final WatchedFiles watched;
  private final Sessions sessions;

  private long lookedMs;

  private Tokens(TokenFile file, TimeSource time) {
    this.file = file;
    this.time = time;
    this.watched = new WatchedFiles(this::take, Tokens::report, file.path());
    this.sessions = new Sessions(this, time);
    this.lookedMs = time.wallMs();
  }

  /**
   * The tokens of a file.
   *
   * @throws TokensException if it is missing or damaged
   */
  public static Tokens open(Path path, TimeSource time) {
    Tokens tokens = new Tokens(new TokenFile(path), time);
    tokens.take();
    if (!tokens.file.isReplaceable()) {
      LOG.warn(
          "The folder of the file of tokens {} cannot be written, so tokens cannot be made or"
              + " revoked over HTTP. If the file is a copy, or was mounted by itself, a token that"
              + " is revoked elsewhere stays good until the server is started again.",
          path);
    }
    return tokens;
  }

  private void take() {
    Map<String, Entry> fresh = new HashMap<>();
    for (Token token : file.read()) {
      byte[] hash = HexFormat.of().parseHex(token.sha256());
      fresh.put(token.id(), new Entry(token, token.grant(), hash));
    }
    byId.set(Map.copyOf(fresh));
  }

  /** The sessions of browsers that have shown a token. */
  Sessions sessions() {
    return sessions;
  }

  /** Is told whenever tokens or sessions may have ended. Tell it before the first look. */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /** Takes over what has changed in the file, and tells of tokens that have ended. */
  public synchronized void look() {
    boolean changed = watched.look();
    if (changed) {
      LOG.info("The file of tokens was read again: {} tokens.", byId.get().size());
    }
    long nowMs = time.wallMs();
    long beforeMs = lookedMs;
    lookedMs = nowMs;
    boolean ended =
        byId.get().values().stream()
            .anyMatch(entry -> entry.token().isGood(beforeMs) && !entry.token().isGood(nowMs));
    if (sessions.look() || changed || ended) {
      tellListeners();
    }
  }

  void tellListeners() {
    listeners.forEach(Runnable::run);
  }

  private static void report(String problem) {
    LOG.error(
        "{} Until then the tokens that were known before stay as they are, also those that"
            + " somebody meant to revoke.",
        problem);
  }

  /** What the holder of a token may; null if that is no token, or none that is good. */
  @Nullable Grant authenticate(String text) {
    TokenText shown = TokenText.parse(text);
    Entry entry = shown == null ? null : byId.get().get(shown.id());
    byte[] hash = (shown == null ? new TokenText("", text) : shown).hash();
    boolean same = MessageDigest.isEqual(entry == null ? NO_HASH : entry.hash(), hash);
    return same && entry != null && entry.token().isGood(time.wallMs()) ? entry.grant() : null;
  }

  /** Whether a grant still holds as it is. */
  boolean isGood(Grant grant) {
    Entry entry = byId.get().get(grant.id());
    return entry != null && entry.grant().equals(grant) && entry.token().isGood(time.wallMs());
  }

  @Nullable Token find(String id) {
    Entry entry = byId.get().get(id);
    return entry == null ? null : entry.token();
  }

  /** All of them, the oldest first. */
  List<Token> list() {
    return TokenFile.sorted(byId.get().values().stream().map(Entry::token).toList());
  }

  /** Makes a token. */
  TokenFile.Made create(TokenWish wish) {
    TokenFile.Made made = file.create(wish, time.wallMs());
    changed();
    return made;
  }

  /** Ends a token; null if there is none of that id. */
  @Nullable Token revoke(String id) {
    Token revoked = file.revoke(id, time.wallMs());
    changed();
    return revoked;
  }

  private synchronized void changed() {
    watched.read();
    tellListeners();
  }
}
