package io.holdfast.engine.logic;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.commit.RequestNumber;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.ReplyCodec;
import io.holdfast.engine.store.Tables;
import org.jspecify.annotations.Nullable;

/**
 * The answers of requests that have an id, or a number in a producer session: a repeat gets the
 * first answer, or is refused, and is never executed again.
 */
final class Requests {
  /** The two kinds of requests; each has ids of its own. */
  enum Kind {
    PUSH('p', Reply.PushedMessages.class),
    COMMIT('c', Reply.CommittedOperations.class);

    private final char prefix;
    private final Class<? extends Reply> answer;

    Kind(char prefix, Class<? extends Reply> answer) {
      this.prefix = prefix;
      this.answer = answer;
    }

    private byte[] key(String requestId) {
      return Tables.utf8(prefix + requestId);
    }
  }

  private Requests() {}

  /** The answer to a request that must not be executed; null if it must be. */
  static @Nullable Reply answered(
      Turn turn, Kind kind, @Nullable String id, @Nullable RequestNumber number) {
    if (number != null) {
      return answered(turn, kind, number);
    }
    if (id == null) {
      return null;
    }
    ShardState state = turn.state();
    byte[] row = state.requests.get(turn.tx(), kind.key(id), turn.nowMs());
    if (row != null) {
      return ReplyCodec.read(TimedRows.content(row));
    }
    return state.requestBytes.sum(turn.nowMs()) < state.limits().requestBytesMax()
        ? null
        : Turn.refused(
            ErrorCode.OVERLOADED,
            "the answers to request ids take "
                + state.limits().requestBytesMax()
                + " bytes, and each is kept for "
                + LogicLimits.REQUEST_MS / 60_000
                + " minutes; try again later, or number requests in a session");
  }

  private static @Nullable Reply answered(Turn turn, Kind kind, RequestNumber number) {
    long id = LeaseId.number(number.session());
    Sessions.Session session = turn.state().sessions.get(id, turn.nowMs());
    if (session == null) {
      return forgotten(
          number, "the broker does not know the session: it was dropped, or never opened");
    }
    long last = session.sequence(number.slot());
    if (number.sequence() > last) {
      return null;
    }
    byte[] row = number.sequence() < last ? null : turn.tx().get(Tables.slot(id, number.slot()));
    if (row == null) {
      return forgotten(number, "request " + last + " has used the slot since");
    }
    Reply reply = ReplyCodec.read(SlotRow.read(row).reply());
    return kind.answer.isInstance(reply)
        ? reply
        : forgotten(number, "a request of another kind has used the number");
  }

  private static Reply forgotten(RequestNumber number, String why) {
    return Turn.refused(
        ErrorCode.REQUEST_FORGOTTEN,
        "request "
            + number.sequence()
            + " of slot "
            + number.slot()
            + " in session "
            + number.session()
            + " was not executed now, and may have been before: "
            + why);
  }

  static void remember(
      Turn turn, Kind kind, @Nullable String id, @Nullable RequestNumber number, Reply reply) {
    ShardState state = turn.state();
    if (number != null) {
      remember(turn, number, reply);
    } else if (id != null) {
      long untilMs = turn.nowMs() + LogicLimits.REQUEST_MS;
      ByteWriter out = TimedRows.row(untilMs);
      ReplyCodec.write(out, reply);
      int size = state.requests.put(turn, kind.key(id), out.done());
      state.requestBytes.add(untilMs, size);
    }
  }

  private static void remember(Turn turn, RequestNumber number, Reply reply) {
    long id = LeaseId.number(number.session());
    Sessions.Session session = turn.state().sessions.get(id, turn.nowMs());
    if (session == null) {
      throw new IllegalStateException("a request was executed in an unknown session: " + number);
    }
    byte[] row = SlotRow.bytes(turn.stamp(), number.sequence(), reply);
    turn.tx().put(Tables.slot(id, number.slot()), row);
    turn.state().sessions.answered(turn, session, number.slot(), number.sequence(), row.length);
  }

  /** Opens a session under an id that is not in use. */
  static Reply openSession(Turn turn) {
    Sessions sessions = turn.state().sessions;
    long random = turn.stamp().random();
    long id = LeaseId.of(random);
    while (id == LeaseId.NONE || sessions.isKnown(id)) {
      random += LeaseId.RANDOM_STEP;
      id = LeaseId.of(random);
    }
    sessions.open(turn, id);
    turn.tx().put(Tables.session(id), SlotRow.used(turn.stamp()).done());
    return new Reply.SessionOpened(id);
  }
}
