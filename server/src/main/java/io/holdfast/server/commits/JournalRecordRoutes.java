package io.holdfast.server.commits;

import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Paging;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import java.util.ArrayList;
import java.util.List;

/** Reads the journals and records that commits write. */
public final class JournalRecordRoutes {
  private static final String TOPIC = "Commits";

  private static final Field<Long> FROM =
      Field.number("from", 0, 0, Long.MAX_VALUE, "The position of the first event.");
  private static final Field<Long> NEWER_THAN =
      Field.number(
          "newerThan", -1, -1, Long.MAX_VALUE, "Wait for a version above this; -1 = do not wait.");
  private static final Field<Long> TIMEOUT =
      Field.number("timeout", 30_000, 0, Limits.WAIT_MS_MAX, "Milliseconds to wait for that.");
  private static final Field<String> PREFIX = Field.text("prefix", "", "How the keys begin.");

  private static final JsonType<StoredRecord> RECORD =
      JsonObject.of(StoredRecord.class)
          .field("key", Json.RECORD, StoredRecord::key, "The record.")
          .whole("version", StoredRecord::version, "Greater with every write.")
          .bytes("value", StoredRecord::value, "As it was put.")
          .type();

  private static final JsonType<Page<StoredRecord>> RECORDS =
      Json.page("records", RECORD, "In the order of their keys.");

  /** An event of a journal. */
  private record Event(long position, byte[] data) {}

  private static final JsonType<Event> EVENT =
      JsonObject.of(Event.class)
          .whole("position", Event::position, "From 0.")
          .bytes("data", Event::data, "As it was appended.")
          .type();

  private static final JsonType<JournalPage> PAGE =
      JsonObject.of(JournalPage.class)
          .field("journal", Json.JOURNAL, JournalPage::journal, "The journal.")
          .whole("from", JournalPage::from, "The position of the first event.")
          .whole("length", JournalPage::length, "How many events it holds in all.")
          .list("events", EVENT, JournalRecordRoutes::events, "In order.")
          .type();

  private JournalRecordRoutes() {}

  public static List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/journals/{journal}",
                Access.READ,
                TOPIC,
                "Read events of a journal",
                JournalRecordRoutes::journal)
            .query(FROM, Paging.LIMIT)
            .answers(
                200,
                "the events from there on; none if there is no such journal. Of large events there may"
                    + " be fewer than limit: go on from the position behind the last one",
                PAGE),
        Route.get(
                "/api/v1/records/{key}",
                Access.READ,
                TOPIC,
                "Read a record",
                JournalRecordRoutes::record)
            .query(NEWER_THAN, TIMEOUT)
            .answers(200, "there is one; after waiting in vain, the version there is", RECORD),
        Route.get(
                "/api/v1/records",
                Access.READ,
                TOPIC,
                "List records by key",
                JournalRecordRoutes::records)
            .query(PREFIX, Paging.AFTER, Paging.LIMIT)
            .answers(
                200, "a page; of large records it may be short although there is a next", RECORDS));
  }

  private static List<Event> events(JournalPage page) {
    List<Event> events = new ArrayList<>();
    for (byte[] data : page.events()) {
      events.add(new Event(page.from() + events.size(), data));
    }
    return events;
  }

  private static Answer journal(Call call) {
    Values query = call.query();
    JournalRequest request =
        new JournalRequest(
            call.part("journal"), query.get(FROM), query.get(Paging.LIMIT).intValue());
    return Answer.ok(PAGE, Refusals.orThrow(call.broker().journal(request)));
  }

  private static Answer record(Call call) {
    Values query = call.query();
    long newerThan = query.get(NEWER_THAN);
    RecordRequest request =
        new RecordRequest(call.part("key"), newerThan, newerThan < 0 ? 0 : query.get(TIMEOUT));
    StoredRecord stored =
        Refusals.orThrow(
            request.waitMs() == 0
                ? call.broker().record(request)
                : call.whileConnected(() -> call.broker().record(request)));
    if (!stored.exists()) {
      throw Problem.notFound("there is no such record");
    }
    return Answer.ok(RECORD, stored);
  }

  private static Answer records(Call call) {
    Values query = call.query();
    RecordsRequest request =
        new RecordsRequest(
            query.get(PREFIX), query.find(Paging.AFTER), query.get(Paging.LIMIT).intValue());
    return Answer.ok(RECORDS, Refusals.orThrow(call.broker().records(request)));
  }
}
