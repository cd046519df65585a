package io.holdfast.cli.messages;

import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.Labels;
import io.holdfast.json.JsonOut;
import io.holdfast.json.objects.LeasedMessage;
import java.util.List;

/** The JSON of a lease: how it was granted, extended and settled. */
final class LeaseJson {
  private LeaseJson() {}

  static JsonOut popped(Popped popped, String group) {
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("leaseId", popped.leaseId().isEmpty() ? null : popped.leaseId())
            .putTime("leaseExpiresAt", popped.leaseUntilMs())
            .put("consumerGroup", group)
            .put("reason", popped.isEmpty() ? popped.reason().name() : null)
            .putTime("retryAt", popped.retryAtMs());
    return CommandOutput.array(
            out,
            "messages",
            popped.messages(),
            (json, one) -> LeasedMessage.TYPE.write(json, new LeasedMessage(one, group)))
        .endObject();
  }

  static JsonOut extended(String lease, Extended extended) {
    return new JsonOut()
        .beginObject()
        .put("leaseId", lease)
        .putTime("leaseExpiresAt", extended.leaseUntilMs())
        .put("open", extended.open())
        .put("cancelled", extended.cancelled().size())
        .endObject();
  }

  /**
   * The result of a settle.
   *
   * @param messages the messages that were named, in the order of the verdicts; empty for the lease
   */
  static JsonOut settled(String lease, List<String> messages, List<SettleVerdict> verdicts) {
    JsonOut out = new JsonOut().beginObject().put("leaseId", lease).beginArray("settled");
    for (int i = 0; i < verdicts.size(); i++) {
      SettleVerdict verdict = verdicts.get(i);
      out.beginObject()
          .put("message", messages.isEmpty() ? null : messages.get(i))
          .put("status", Labels.json(verdict.status()))
          .put("applied", verdict.applied())
          .put("count", verdict.count())
          .put("failures", verdict.failures())
          .putTime("visibleAt", verdict.visibleAtMs())
          .put("leaseOver", verdict.leaseOver())
          .endObject();
    }
    return out.endArray().endObject();
  }
}
