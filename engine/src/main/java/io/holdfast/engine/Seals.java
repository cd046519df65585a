package io.holdfast.engine;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.Refusal;
import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.message.BrowsedMessage;
import io.holdfast.api.message.Message;
import io.holdfast.api.message.MessageDetail;
import io.holdfast.api.message.Seal;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.command.Sealer;
import io.holdfast.engine.seal.Keys;
import io.holdfast.engine.seal.PayloadOpener;
import io.holdfast.engine.seal.PayloadSealer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The border at which payloads are sealed on their way in and opened on their way out.
 *
 * <p>Invariant: what enters the shard for a queue with {@code encryptionEnabled} and is not sealed
 * is not stored. The names kept here only spare asking twice; the shard has the last word.
 *
 * <p>Thread: any; sealing and opening are done by the caller.
 */
final class Seals {
  private static final Logger LOG = LoggerFactory.getLogger(Seals.class);

  private final Keys keys;
  private final Shard shard;
  private final Set<String> queues = ConcurrentHashMap.newKeySet();

  Seals(Keys keys, Shard shard) {
    this.keys = keys;
    this.shard = shard;
    renew();
    if (keys.isEmpty() && !queues.isEmpty()) {
      LOG.warn(
          "{} queues keep their payloads encrypted, and the broker has no key: pushes to them and"
              + " pops from them are refused until it is started with its key file.",
          queues.size());
    }
  }

  /** Reads the names from the state of the shard; on its thread, or before that is started. */
  void renew() {
    Set<String> sealed = shard.sealedQueues();
    queues.retainAll(sealed);
    queues.addAll(sealed);
  }

  void run(List<Effect> effects) {
    for (Effect effect : effects) {
      if (effect instanceof Effect.SealQueue change) {
        if (change.on()) {
          queues.add(change.queue());
        } else {
          queues.remove(change.queue());
        }
      }
    }
  }

  /** Asks the shard something that carries payloads, sealed as far as their queues want that. */
  Reply ask(Function<Sealer, Command> command) {
    Set<String> told = Set.of();
    while (true) {
      Reply reply = shard.apply(command.apply(sealer(told)));
      if (!(reply instanceof Reply.Unsealed unsealed)) {
        return reply;
      }
      if (keys.isEmpty()) {
        return new Reply.Refused(noKey("queue " + unsealed.queues().iterator().next() + " keeps"));
      }
      Set<String> more = new HashSet<>(told);
      more.addAll(unsealed.queues());
      told = more;
    }
  }

  /** Whether payloads for a queue are to be encrypted, as far as is known here. */
  boolean isSealed(String queue) {
    return !queues.isEmpty() && queues.contains(queue);
  }

  private Sealer sealer(Set<String> told) {
    return keys.isEmpty() || (queues.isEmpty() && told.isEmpty())
        ? Sealer.NONE
        : new PayloadSealer(keys, queue -> queues.contains(queue) || told.contains(queue));
  }

  /** Why options cannot be set, or null. */
  @Nullable Refusal refusal(ConfigureRequest request) {
    boolean on = Boolean.TRUE.equals(request.changes().get(QueueOption.ENCRYPTION));
    return on && keys.isEmpty() ? noKey("encryptionEnabled would keep") : null;
  }

  private static Refusal noKey(String who) {
    return Refusal.of(
        ErrorCode.KEY_MISSING,
        who
            + " payloads encrypted, and the broker has no key: make a key file with ./holdfast key"
            + " create and start the broker with it, ./holdfast serve --keys <file>");
  }

  Page<BrowsedMessage> show(Page<BrowsedMessage> page) {
    PayloadOpener opener = new PayloadOpener(keys);
    List<BrowsedMessage> items =
        page.items().stream()
            .map(
                item ->
                    new BrowsedMessage(
                        opener.show(item.message()),
                        item.state(),
                        item.failures(),
                        item.visibleAtMs()))
            .toList();
    return new Page<>(items, page.next());
  }

  DeadLetters show(DeadLetters page) {
    PayloadOpener opener = new PayloadOpener(keys);
    List<DeadLetter> items =
        page.items().stream()
            .map(
                dead ->
                    new DeadLetter(
                        opener.show(dead.message()),
                        dead.group(),
                        dead.diedMs(),
                        dead.error(),
                        dead.failures(),
                        dead.expiries(),
                        dead.attempts()))
            .toList();
    return new DeadLetters(items, page.total(), page.next());
  }

  MessageDetail show(MessageDetail detail) {
    Message message = new PayloadOpener(keys).show(detail.message());
    Seal seal = message.seal();
    String problem = seal == null ? null : seal.problem();
    return new MessageDetail(
        message,
        detail.groups(),
        problem == null ? detail.explain() : problem + " " + detail.explain());
  }
}
