package io.holdfast.engine.logic;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.commit.RequestNumber;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.LeaseId;
import io.holdfast.engine.command.Reply;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What producer sessions should answer, by the model: each keeps the last answer of each slot. */
final class ModelSessions {
  /** The last request of a slot. */
  private record Last(long sequence, Class<?> command, String answer) {}

  private static final class Session {
    private long usedMs;
    private final Map<Integer, Last> slots = new HashMap<>();
  }

  private final int max;

  /** In the order of their last use. */
  private final LinkedHashMap<String, Session> sessions = new LinkedHashMap<>();

  ModelSessions(int max) {
    this.max = max;
  }

  /** Judges a command if it must not be executed, or only opens a session; false of all others. */
  boolean judge(Command command, Reply reply, long nowMs) {
    if (command instanceof Command.OpenSession) {
      if (sessions.size() == max) {
        sessions.pollFirstEntry();
      }
      use(LeaseId.text(((Reply.SessionOpened) reply).session()), new Session(), nowMs);
      return true;
    }
    RequestNumber number = number(command);
    if (number == null) {
      return false;
    }
    Session session = sessions.get(number.session());
    if (session == null || session.usedMs + LogicLimits.SESSION_MS <= nowMs) {
      assertForgotten(reply);
      return true;
    }
    Last last = session.slots.get(number.slot());
    if (last == null || number.sequence() > last.sequence) {
      if (!(reply instanceof Reply.Refused)) {
        Last now = new Last(number.sequence(), command.getClass(), Replies.text(reply));
        session.slots.put(number.slot(), now);
        use(number.session(), session, nowMs);
      }
      return false;
    }
    if (number.sequence() < last.sequence || command.getClass() != last.command) {
      assertForgotten(reply);
    } else {
      assertThat(Replies.text(reply)).as("a repeat").isEqualTo(last.answer);
    }
    return true;
  }

  private void use(String id, Session session, long nowMs) {
    session.usedMs = nowMs;
    sessions.remove(id);
    sessions.put(id, session);
  }

  private static void assertForgotten(Reply reply) {
    assertThat(((Reply.Refused) reply).refusal().code()).isEqualTo(ErrorCode.REQUEST_FORGOTTEN);
  }

  private static @Nullable RequestNumber number(Command command) {
    return switch (command) {
      case Command.PushMessages push -> push.number();
      case Command.CommitOperations commit -> commit.number();
      default -> null;
    };
  }
}
