package io.holdfast.api.commit;

import io.holdfast.api.Check;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One step of a commit. */
public sealed interface Operation {
  /** Settles a message or a whole lease. */
  record SettleMessage(Settle settle) implements Operation {
    public SettleMessage {
      Check.present("settle", settle);
    }
  }

  /**
   * Pushes a message.
   *
   * @param ignoreDuplicate a message of that name counts as success, instead of failing the commit
   */
  record PushMessage(NewMessage message, boolean ignoreDuplicate) implements Operation {
    public PushMessage {
      Check.present("message", message);
    }
  }

  /** Takes a message back, in any state; one that is not there counts as success. */
  record CancelMessage(MessageRef message) implements Operation {
    public CancelMessage {
      Check.present("message", message);
    }
  }

  /**
   * Appends events to a journal.
   *
   * @param expectedPosition how many events the journal must hold before
   */
  record AppendJournal(String journal, long expectedPosition, List<byte[]> events)
      implements Operation {
    public AppendJournal {
      Check.key("journal", journal);
      Check.notNegative("expectedPosition", expectedPosition);
      events = Check.notEmpty("events", events);
    }
  }

  /** Deletes a journal with all its events; one that is not there counts as success. */
  record DeleteJournal(String journal) implements Operation {
    public DeleteJournal {
      Check.key("journal", journal);
    }
  }

  /**
   * Writes a record.
   *
   * @param expectedVersion the version it must have: 0 = it must not exist, {@link #ANY_VERSION} =
   *     whatever it is
   */
  record PutRecord(String key, long expectedVersion, byte[] value) implements Operation {
    public PutRecord {
      Check.key("key", key);
      Check.within("expectedVersion", expectedVersion, ANY_VERSION, Long.MAX_VALUE);
      Check.present("value", value);
    }
  }

  /** Deletes a record; with {@link #ANY_VERSION} one that is not there counts as success. */
  record DeleteRecord(String key, long expectedVersion) implements Operation {
    public DeleteRecord {
      Check.key("key", key);
      Check.within("expectedVersion", expectedVersion, ANY_VERSION, Long.MAX_VALUE);
    }
  }

  /**
   * Removes a dead letter; one that is not there fails the commit, so what comes with it is done
   * once.
   *
   * @param group whose dead letter; null for those of all groups
   */
  record RemoveDead(String queue, UUID messageId, @Nullable String group) implements Operation {
    public RemoveDead {
      Check.name("queue", queue);
      Check.present("messageId", messageId);
    }
  }

  /** Whatever version a record has. */
  long ANY_VERSION = -1;
}
