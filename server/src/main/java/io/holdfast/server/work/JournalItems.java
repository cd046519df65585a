package io.holdfast.server.work;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.commit.Operation;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operations on journals, as JSON has them. */
final class JournalItems {
  static final List<Shape.Field> FIELDS =
      List.of(
          Shape.optional("journal", Shape.JOURNAL, "Of an append or deleteJournal: which journal."),
          Shape.optional(
              "expectedPosition",
              Shape.WHOLE,
              "Of an append: how many events the journal must hold before."),
          Shape.optional(
              "events", Shape.array(Shape.ANY), "Of an append: any JSON, kept as it is."),
          Shape.optional(
              "eventsBase64",
              Shape.array(Shape.TEXT),
              "Instead of events: bytes that are not JSON."));

  private JournalItems() {}

  static Operation append(JsonIn in, String place) {
    String journal = null;
    long position = -1;
    List<byte[]> events = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "type" -> in.text();
        case "journal" -> journal = in.text();
        case "expectedPosition" -> position = in.number(0, Long.MAX_VALUE);
        case "events", "eventsBase64" -> events = events(in, field, events);
        default ->
            throw in.unknown("type", "journal", "expectedPosition", "events", "eventsBase64");
      }
    }
    if (position < 0) {
      throw Problem.field(
          place + ".expectedPosition", "expected a whole number, 0 or more, but there is none");
    }
    if (events == null) {
      throw Problem.field(place + ".events", "expected an array of any JSON, but there is none");
    }
    try {
      return new Operation.AppendJournal(name(journal, place), position, events);
    } catch (InvalidArgumentException refused) {
      throw Problem.argument(place, refused);
    }
  }

  private static List<byte[]> events(JsonIn in, String field, @Nullable List<byte[]> before) {
    if (before != null) {
      throw in.wrong("events or eventsBase64, not both");
    }
    List<byte[]> events = new ArrayList<>();
    in.beginArray();
    while (in.nextElement()) {
      events.add(field.equals("events") ? in.payload() : in.base64());
    }
    return events;
  }

  static Operation delete(JsonIn in, String place) {
    String journal = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "type" -> in.text();
        case "journal" -> journal = in.text();
        default -> throw in.unknown("type", "journal");
      }
    }
    try {
      return new Operation.DeleteJournal(name(journal, place));
    } catch (InvalidArgumentException refused) {
      throw Problem.argument(place, refused);
    }
  }

  private static String name(@Nullable String journal, String place) {
    if (journal == null) {
      throw Problem.field(place + ".journal", "expected the name of a journal, but there is none");
    }
    return journal;
  }
}
