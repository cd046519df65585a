package io.holdfast.server.access;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.JournalRequest;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.BrowseRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.Position;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A queue that requests are aimed at, with one message of each kind: leased, dead and waiting; and
 * a journal and a record that are named after it.
 *
 * @param id of the leased message
 * @param name of the same
 * @param dead the id of the dead one
 * @param kept the name of the journal, and the key of the record
 */
record Aim(
    String queue,
    String group,
    String lease,
    Position position,
    UUID id,
    String name,
    UUID dead,
    String kept) {
  private static final String SECRET = "nobody may see what is in ";

  static Aim at(Broker broker, String queue) {
    String group = "group" + queue.hashCode();
    String kept = queue + "/kept";
    broker
        .configure(
            ConfigureRequest.queue(queue)
                .set(QueueOption.TRACK, true)
                .set(QueueOption.NAMESPACE, "shared-namespace"))
        .orThrow();
    broker
        .push(PushRequest.of(message(queue, "one"), message(queue, "two"), message(queue, "three")))
        .orThrow();
    Popped popped =
        broker
            .pop(
                PopRequest.queue(queue)
                    .group(group)
                    .batch(2)
                    .leaseMs(Limits.LEASE_MS_MAX)
                    .worker("worker"))
            .orThrow();
    Settle kill = Settle.kill(popped.messages().get(1).handle(), "no use");
    broker.settle(SettleRequest.of(kill)).orThrow();
    broker
        .commit(
            CommitRequest.of(
                new Operation.AppendJournal(kept, 0, List.of(payload(queue))),
                new Operation.PutRecord(kept, Operation.ANY_VERSION, payload(queue))))
        .orThrow();
    return new Aim(
        queue,
        group,
        popped.leaseId(),
        popped.messages().get(0).message().position(),
        popped.messages().get(0).message().id(),
        "one",
        popped.messages().get(1).message().id(),
        kept);
  }

  private static NewMessage message(String queue, String name) {
    return NewMessage.to(queue, payload(queue)).transactionId(name);
  }

  private static byte[] payload(String queue) {
    return ("\"" + secretOf(queue) + "\"").getBytes(StandardCharsets.UTF_8);
  }

  private static String secretOf(String queue) {
    return SECRET + queue;
  }

  /** Stands in all payloads, and in the journal and the record. */
  String secret() {
    return secretOf(queue);
  }

  /** All that a request could change. */
  String state(Broker broker) {
    BrowseRequest browse =
        new BrowseRequest(queue, group, null, Set.of(), null, 0, Long.MAX_VALUE, null, 100);
    return String.join(
        "\n",
        broker
            .queue(queue)
            .map(found -> found.options().hashCode() + " " + found.paused() + found.counts())
            .toString(),
        broker
            .groups(GroupsRequest.ofQueue(queue))
            .map(
                page ->
                    page.items().stream()
                        .map(found -> found.group() + found.start() + found.lag() + found.leases())
                        .toList())
            .toString(),
        broker
            .browse(browse)
            .map(
                page ->
                    page.items().stream()
                        .map(
                            found ->
                                found.message().id()
                                    + " "
                                    + found.state()
                                    + " "
                                    + found.failures()
                                    + " "
                                    + found.visibleAtMs())
                        .toList())
            .toString(),
        broker
            .deadLetters(DeadLettersRequest.of(DeadLetterFilter.queue(queue)))
            .map(dead -> dead.total())
            .toString(),
        String.valueOf(broker.lease(lease)),
        broker
            .task(MessageRef.id(id))
            .map(task -> task.status() + " " + task.attempts())
            .toString(),
        broker.journal(new JournalRequest(kept, 0, 1)).map(page -> page.length()).toString(),
        broker.record(RecordRequest.of(kept)).map(record -> record.version()).toString());
  }
}
