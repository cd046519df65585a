package io.holdfast.server.work;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.commit.JournalPage;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Query;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.server.queen.Refusals;
import java.util.List;

/** Reads what commits keep: journals and records. */
public final class KeptRoutes {
  private static final String TOPIC = "Commits";

  private static final Param FROM =
      Param.number("from", 0, 0, Long.MAX_VALUE, "The position of the first event.");
  private static final Param LIMIT =
      Param.number("limit", 100, 1, Limits.PAGE_MAX, "Most of the answer.");
  private static final Param NEWER_THAN =
      Param.number(
          "newerThan", -1, -1, Long.MAX_VALUE, "Wait for a version above this; -1 = do not wait.");
  private static final Param TIMEOUT =
      Param.number("timeout", 30_000, 0, Limits.WAIT_MS_MAX, "Milliseconds to wait for that.");
  private static final Param PREFIX = Param.text("prefix", "", "How the keys begin.");
  private static final Param AFTER =
      Param.text("after", "The next of the answer before; nothing for the first.");

  private static final Shape RECORD =
      Shape.fields(
          Shape.required("key", Shape.RECORD, "The record."),
          Shape.required("version", Shape.WHOLE, "Greater with every write."),
          Shape.required("value", Shape.ANY, "As it was put."),
          Shape.optional("valueBase64", Shape.TEXT, "If it is not JSON; value is null."));

  private final Broker broker;

  public KeptRoutes(Broker broker) {
    this.broker = broker;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/journals/{journal}",
                Access.READ,
                TOPIC,
                "Read events of a journal",
                this::journal)
            .query(FROM, LIMIT)
            .answers(
                200,
                "the events from there on; none if there is no such journal. Of large events there may"
                    + " be fewer than limit: go on from the position behind the last one",
                Shape.fields(
                    Shape.required("journal", Shape.JOURNAL, "The journal."),
                    Shape.required("from", Shape.WHOLE, "The position of the first event."),
                    Shape.required("length", Shape.WHOLE, "How many events it holds in all."),
                    Shape.required(
                        "events",
                        Shape.array(
                            Shape.fields(
                                Shape.required("position", Shape.WHOLE, "From 0."),
                                Shape.required("data", Shape.ANY, "As it was appended."),
                                Shape.optional(
                                    "dataBase64", Shape.TEXT, "If it is not JSON; data is null."))),
                        "In order."))),
        Route.get("/api/v1/records/{key}", Access.READ, TOPIC, "Read a record", this::record)
            .query(NEWER_THAN, TIMEOUT)
            .answers(200, "there is one; after waiting in vain, the version there is", RECORD),
        Route.get("/api/v1/records", Access.READ, TOPIC, "List records by key", this::records)
            .query(PREFIX, AFTER, LIMIT)
            .answers(
                200,
                "a page; of large records it may be short although there is a next",
                Shape.fields(
                    Shape.required("records", Shape.array(RECORD), "In the order of their keys."),
                    Shape.required(
                        "next", Shape.TEXT, "What to pass as after; null at the end."))));
  }

  private Answer journal(Call call) {
    Query query = call.query();
    JournalPage page =
        Refusals.orThrow(
            broker.journal(
                new JournalRequest(
                    call.part("journal"), query.number(FROM), (int) query.number(LIMIT))));
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("journal", page.journal())
            .put("from", page.from())
            .put("length", page.length())
            .beginArray("events");
    long position = page.from();
    for (byte[] event : page.events()) {
      out.beginObject().put("position", position++).putPayload("data", event).endObject();
    }
    return Answer.ok(out.endArray().endObject());
  }

  private Answer record(Call call) {
    Query query = call.query();
    long newerThan = query.number(NEWER_THAN);
    RecordRequest request =
        new RecordRequest(call.part("key"), newerThan, newerThan < 0 ? 0 : query.number(TIMEOUT));
    StoredRecord stored =
        Refusals.orThrow(
            request.waitMs() == 0
                ? broker.record(request)
                : call.whileConnected(() -> broker.record(request)));
    if (!stored.exists()) {
      throw Problem.notFound("there is no such record");
    }
    JsonOut out = new JsonOut();
    write(out, stored);
    return Answer.ok(out);
  }

  private Answer records(Call call) {
    Query query = call.query();
    Page<StoredRecord> page =
        Refusals.orThrow(
            broker.records(
                new RecordsRequest(
                    query.textOrDefault(PREFIX), query.text(AFTER), (int) query.number(LIMIT))));
    JsonOut out = new JsonOut().beginObject().beginArray("records");
    page.items().forEach(stored -> write(out, stored));
    return Answer.ok(out.endArray().put("next", page.next()).endObject());
  }

  private static void write(JsonOut out, StoredRecord stored) {
    out.beginObject()
        .put("key", stored.key())
        .put("version", stored.version())
        .putPayload("value", stored.value())
        .endObject();
  }
}
