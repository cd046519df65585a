package io.holdfast.json.objects;

import io.holdfast.api.dead.DeadLetter;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;

/** Dead letters as JSON, under the names of the seed and those of Queen. */
public final class DeadLetterJson {
  public static final JsonType<DeadLetter> TYPE =
      JsonObject.of(DeadLetter.class)
          .include(MessageJson.IDENTITY, DeadLetter::message)
          .queue("queueName", dead -> dead.message().queue(), "The same as queue.")
          .text("consumerGroup", DeadLetter::group, "The group it is dead for.")
          .textOrNull("errorMessage", DeadLetter::error, "What went wrong last, or null.")
          .whole("retryCount", DeadLetter::failures, "How often it failed.")
          .whole("expiries", DeadLetter::expiries, "How often its lease expired.")
          .time("originalCreatedAt", dead -> dead.message().createdMs(), "The same as createdAt.")
          .time("failedAt", DeadLetter::diedMs, "When it died.")
          .time("movedToDlqAt", DeadLetter::diedMs, "The same.")
          .payload("data", DeadLetter::message, "The payload, byte for byte.")
          .include(MessageJson.HEADERS, DeadLetter::message)
          .list("attempts", MessageJson.ATTEMPT, DeadLetter::attempts, "Failed deliveries.")
          .type();

  private DeadLetterJson() {}
}
