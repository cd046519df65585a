package io.holdfast.api.group;

import io.holdfast.api.Check;
import org.jspecify.annotations.Nullable;

/** Moves a group: of one partition, or with null of all. */
public record SeekRequest(String queue, String group, @Nullable String partition, To to) {
  /** Where to. */
  public sealed interface To {
    /** The oldest message that is kept. */
    record Beginning() implements To {}

    /** Past the newest message. */
    record End() implements To {}

    /** The first message that entered at or after a time. */
    record Time(long fromMs) implements To {
      public Time {
        Check.notNegative("fromMs", fromMs);
      }
    }
  }

  public SeekRequest {
    Check.name("queue", queue);
    Check.name("group", group);
    Check.present("to", to);
  }
}
