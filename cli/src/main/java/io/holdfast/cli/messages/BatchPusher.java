package io.holdfast.cli.messages;

import io.holdfast.api.Broker;
import io.holdfast.api.RefusedException;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.PushedMessage;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.output.JsonLine;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.output.ProgressLine;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.json.objects.PushResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Pushes any number of payloads in batches, and prints the result. */
final class BatchPusher {
  private static final int BATCH_MESSAGES_MAX = 1_000;
  private static final int BATCH_BYTES_MAX = 4 << 20;

  /** Converts input to a payload. */
  interface Form {
    byte[] payload(byte[] bytes, String where);
  }

  private final Broker broker;
  private final ServerOptions remote;
  private final NewMessage model;
  private final ProgressLine progress;
  private final List<NewMessage> batch = new ArrayList<>();
  private long batchBytes;
  private long pushed;
  private long duplicates;
  private PushedMessage last = new PushedMessage(new UUID(0, 0), false, 0);

  BatchPusher(Broker broker, ServerOptions remote, NewMessage model) {
    this.broker = broker;
    this.remote = remote;
    this.model = model;
    this.progress = new ProgressLine(remote);
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
        remote.fail(Labels.count(pushed, "message") + " pushed; the next one failed");
      }
      throw refused;
    }
    progress.end();
    return remote.json() ? ExitCodes.DONE : printSummary();
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
        remote.out().println(JsonLine.of(PushResult.TYPE.bytes(new PushResult(0, model, answer))));
      }
    }
    remote.out().flush();
    progress.show("pushed " + TextTable.grouped(pushed));
  }

  private int printSummary() {
    String place = model.queue() + "/" + model.partition();
    String text =
        pushed + duplicates != 1
            ? "pushed " + Labels.count(pushed, "message") + " to " + place
            : duplicates == 0
                ? "pushed " + last.id() + " to " + place
                : "duplicate: %s already has %s, as %s"
                    .formatted(place, model.transactionId(), last.id());
    return remote.print(new Text().line(text));
  }
}
