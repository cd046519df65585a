package io.holdfast.engine.logic;

import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.ReplyCodec;
import io.holdfast.engine.store.Tables;
import org.jspecify.annotations.Nullable;

/** The answers of requests that named themselves, so that a repeat gets the first answer. */
final class Requests {
  /** In front of the ids of pushes and of commits: the same id may name one of each. */
  static final char PUSH = 'p';

  static final char COMMIT = 'c';

  private static final int KEY_TEXT_AT = 9;

  private Requests() {}

  /** The first answer to a request of that id, or null. */
  static @Nullable Reply answered(Turn turn, char kind, @Nullable String id) {
    if (id == null) {
      return null;
    }
    String requestId = kind + id;
    byte[] key = Tables.request(0, requestId);
    Recent.Entry entry = turn.state().requests.get(hash(key), turn.nowMs());
    if (entry == null) {
      return null;
    }
    byte[] row = turn.tx().get(Tables.request(entry.index(), requestId));
    if (row == null) {
      return null;
    }
    ByteReader in = new ByteReader(row);
    in.varint();
    return ReplyCodec.read(in);
  }

  static void remember(Turn turn, char kind, @Nullable String id, Reply reply) {
    if (id == null) {
      return;
    }
    String requestId = kind + id;
    long untilMs = turn.nowMs() + LogicLimits.REQUEST_MS;
    byte[] key = Tables.request(turn.stamp().index(), requestId);
    ByteWriter out = new ByteWriter(64).varint(untilMs);
    ReplyCodec.write(out, reply);
    turn.tx().put(key, out.done());
    turn.state().requests.add(hash(key), turn.stamp().index(), untilMs);
  }

  /** A number for the request id in a key, whatever the index in it. */
  static long hash(byte[] key) {
    long hash = 0xcbf29ce484222325L;
    for (int i = KEY_TEXT_AT; i < key.length; i++) {
      hash = (hash ^ key[i]) * 0x100000001b3L;
    }
    return hash;
  }
}
