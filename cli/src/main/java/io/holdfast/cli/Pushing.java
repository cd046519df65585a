package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.api.RefusedException;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.server.http.JsonOut;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Pushes payloads of any number, in batches, and tells what became of them. */
final class Pushing {
  private static final int BATCH_MESSAGES_MAX = 1_000;
  private static final int BATCH_BYTES_MAX = 4 << 20;

  /** Turns bytes that came into a payload. */
  interface Form {
    byte[] payload(byte[] bytes, String where);
  }

  private final Broker broker;
  private final RemoteOptions remote;
  private final NewMessage model;
  private final Progress progress;
  private final List<NewMessage> batch = new ArrayList<>();
  private long batchBytes;
  private long pushed;
  private long duplicates;
  private PushedMessage last = new PushedMessage(new UUID(0, 0), false, 0);

  Pushing(Broker broker, RemoteOptions remote, NewMessage model) {
    this.broker = broker;
    this.remote = remote;
    this.model = model;
    this.progress = new Progress(remote);
  }

  int run(PayloadSource source, Form form, long times) throws IOException {
    try {
      for (PayloadSource.Found found = source.next(); found != null; found = source.next()) {
        byte[] payload = form.payload(found.bytes(), found.where());
        for (long i = 0; i < times; i++) {
          add(payload);
        }
      }
      flush();
    } catch (RefusedException | IllegalArgumentException refused) {
      progress.end();
      if (pushed > 0) {
        remote.fail(
            Words.count(pushed, "message") + " were pushed; the next was not, and why follows");
      }
      throw refused;
    }
    progress.end();
    return remote.json() ? Exit.DONE : tell();
  }

  private void add(byte[] payload) {
    NewMessage message =
        new NewMessage(
            model.queue(),
            model.partition(),
            model.lane(),
            payload,
            model.transactionId(),
            model.headers(),
            model.delayMs(),
            model.visibleAtMs());
    batch.add(message);
    batchBytes += payload.length;
    if (batch.size() >= BATCH_MESSAGES_MAX || batchBytes >= BATCH_BYTES_MAX) {
      flush();
    }
  }

  private void flush() {
    if (batch.isEmpty()) {
      return;
    }
    List<PushedMessage> answers = broker.push(PushRequest.of(batch)).orThrow().messages();
    batch.clear();
    batchBytes = 0;
    for (PushedMessage answer : answers) {
      last = answer;
      if (answer.duplicate()) {
        duplicates++;
      } else {
        pushed++;
      }
      if (remote.json()) {
        remote.out().println(JsonLine.of(document(answer).done()));
      }
    }
    remote.out().flush();
    progress.show("pushed " + TextTable.grouped(pushed));
  }

  private JsonOut document(PushedMessage answer) {
    return new JsonOut()
        .beginObject()
        .put("id", answer.id())
        .put("queue", model.queue())
        .put("partition", model.partition())
        .put("duplicate", answer.duplicate())
        .endObject();
  }

  private int tell() {
    String place = model.queue() + "/" + model.partition();
    if (pushed + duplicates != 1) {
      return remote.print("pushed " + Words.count(pushed, "message") + " to " + place);
    }
    return remote.print(
        duplicates == 0
            ? "pushed " + last.id() + " to " + place
            : "not pushed again: "
                + place
                + " has "
                + model.transactionId()
                + " already, as "
                + last.id());
  }
}
