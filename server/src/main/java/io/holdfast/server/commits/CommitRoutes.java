package io.holdfast.server.commits;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.Operation;
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
import io.holdfast.server.http.AsyncAnswer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Paging;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import io.holdfast.server.messages.PushRoute;
import java.util.ArrayList;
import java.util.List;

/** Commits: settles, pushes, cancels, journals and records, all or none; and what they wrote. */
public final class CommitRoutes {
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
          .list("events", EVENT, CommitRoutes::events, "In order.")
          .type();

  private static final Field<List<OperationItem>> OPERATIONS =
      Field.required(
          "operations",
          Json.list(OperationItem.TYPE, Limits.OPERATIONS_MAX),
          "What to do, in order: each sees what the earlier ones did.");
  private static final JsonType<Values> BODY =
      Json.object(in -> in, OPERATIONS, PushRoute.REQUEST_ID);

  private static final JsonType<List<OperationResult>> ANSWER =
      new JsonObject<List<OperationResult>>()
          .flag("success", results -> true, "true.")
          .list(
              "results",
              OperationResult.TYPE,
              results -> results,
              "What each operation did, in order.")
          .type();

  private CommitRoutes() {}

  public static List<Route> routes() {
    return Route.about(
        "Commits",
        Route.post("/api/v1/commit", Access.CHANGE)
            .summary("Settle, push, cancel, and write journals and records, all or none")
            .traffic("kill", "cancel", "remove-dead-letters", "settle-lease")
            .keyedByBroker()
            .example(
                "{\"operations\":[{\"type\":\"push\",\"queue\":\"orders\","
                    + "\"payload\":{\"hello\":\"world\"}},"
                    + "{\"type\":\"append\",\"journal\":\"log\",\"expectedPosition\":0,\"events\":[1]}]}")
            .body(BODY)
            .answersAsync(
                200, "all was done; one result for each operation", ANSWER, CommitRoutes::commit)
            .answers(409, "nothing was done; field names the operation that was refused"),
        Route.get("/api/v1/journals/{journal}")
            .summary("Read events of a journal")
            .query(FROM, Paging.LIMIT)
            .answers(
                "the events from there on; none if there is no such journal. Of large events there may"
                    + " be fewer than limit: go on from the position behind the last one",
                PAGE,
                CommitRoutes::journal),
        Route.get("/api/v1/records/{key}")
            .summary("Read a record")
            .query(NEWER_THAN, TIMEOUT)
            .answers(
                "there is one; after waiting in vain, the version there is",
                RECORD,
                CommitRoutes::record),
        Route.get("/api/v1/records")
            .summary("List records by key")
            .query(PREFIX, Paging.AFTER, Paging.LIMIT)
            .answers(
                "a page; of large records it may be short although there is a next",
                RECORDS,
                CommitRoutes::records));
  }

  private static List<Event> events(JournalPage page) {
    List<Event> events = new ArrayList<>();
    for (byte[] data : page.events()) {
      events.add(new Event(page.from() + events.size(), data));
    }
    return events;
  }

  private static JournalPage journal(Call call) {
    long from = call.query().get(FROM);
    int limit = call.query().get(Paging.LIMIT).intValue();
    return call.ask(Broker::journal, new JournalRequest(call.part("journal"), from, limit));
  }

  private static StoredRecord record(Call call) {
    Values query = call.query();
    long newerThan = query.get(NEWER_THAN);
    RecordRequest request =
        new RecordRequest(call.part("key"), newerThan, newerThan < 0 ? 0 : query.get(TIMEOUT));
    StoredRecord stored =
        request.waitMs() == 0
            ? call.ask(Broker::record, request)
            : call.whileConnected(() -> call.ask(Broker::record, request));
    if (!stored.exists()) {
      throw Problem.notFound("there is no such record");
    }
    return stored;
  }

  private static Page<StoredRecord> records(Call call) {
    Values query = call.query();
    return call.ask(
        Broker::records,
        new RecordsRequest(
            query.get(PREFIX), query.find(Paging.AFTER), query.get(Paging.LIMIT).intValue()));
  }

  private static AsyncAnswer<Committed> commit(Call call) {
    Values in = call.json(BODY);
    List<OperationItem> items = in.get(OPERATIONS);
    List<Operation> operations = items.stream().map(OperationItem::operation).toList();
    String id = call.requestId(in.find(PushRoute.REQUEST_ID));
    return new AsyncAnswer<>(
        call.broker().commitAsync(new CommitRequest(operations, id)),
        result -> Answer.ok(ANSWER, OperationResult.of(items, Refusals.orThrow(result))));
  }
}
