package io.holdfast.engine;

import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.lease.Delivery;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.message.Message;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Reply;
import io.holdfast.engine.seal.Keys;
import io.holdfast.engine.seal.PayloadOpener;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a pop took, opened. A message that cannot be opened is given back uncharged and not
 * delivered, and neither is what it took behind it from the same partition: the order stays.
 *
 * <p>Thread: any; the caller's.
 */
final class SealedPops {
  private static final Logger LOG = LoggerFactory.getLogger(SealedPops.class);

  /** A message that cannot be opened is tried again after this long, and lets others pass. */
  static final long RETRY_MS = 30_000;

  private final Keys keys;
  private final Shard shard;

  SealedPops(Keys keys, Shard shard) {
    this.keys = keys;
    this.shard = shard;
  }

  Keys keys() {
    return keys;
  }

  /** Whether no message is encrypted. */
  static boolean isClear(Popped taken) {
    for (Delivery delivery : taken.messages()) {
      if (delivery.message().seal() != null) {
        return false;
      }
    }
    return true;
  }

  /** Decrypts messages, some of which are encrypted. */
  Result<Popped> open(PopRequest request, Popped taken) {
    Sorted sorted = sort(taken.messages());
    settle(sorted.back);
    if (!request.autoAck()) {
      return answer(sorted.given, taken.leaseId(), taken.leaseUntilMs(), sorted.why, taken);
    }
    Result<List<Delivery>> acked = acked(sorted.given);
    return acked.isOk()
        ? answer(acked.orThrow(), "", 0, sorted.why, taken)
        : Result.refused(acked.refusal());
  }

  private static Result<Popped> answer(
      List<Delivery> given, String leaseId, long untilMs, @Nullable Refusal why, Popped taken) {
    if (!given.isEmpty()) {
      return Result.ok(new Popped(given, leaseId, untilMs, Popped.Reason.NONE, 0, taken.settled()));
    }
    // A refusal would say that nothing happened, but what came with the pop is settled.
    return why != null && taken.settled().isEmpty()
        ? Result.refused(why)
        : Result.ok(
            new Popped(
                List.of(),
                "",
                0,
                why == null ? Popped.Reason.EMPTY : Popped.Reason.UNREADABLE,
                0,
                taken.settled()));
  }

  /** What can be given, what goes back, and why the first of that does. */
  private static final class Sorted {
    private final List<Delivery> given = new ArrayList<>();
    private final List<Settle> back = new ArrayList<>();
    private @Nullable Refusal why;
  }

  private Sorted sort(List<Delivery> taken) {
    PayloadOpener opener = new PayloadOpener(keys);
    Sorted sorted = new Sorted();
    Set<Long> stuck = new HashSet<>();
    for (Delivery delivery : taken) {
      Message message = delivery.message();
      Handle handle = delivery.handle();
      if (stuck.contains(message.position().partition())) {
        sorted.back.add(Settle.release(handle));
        continue;
      }
      Result<Message> opened = opener.open(message);
      if (opened.isOk()) {
        sorted.given.add(
            new Delivery(
                opened.orThrow(),
                delivery.leaseId(),
                delivery.attempt(),
                delivery.failures(),
                delivery.expiries()));
      } else {
        LOG.error("A message is not delivered. {}", opened.refusal().detail());
        sorted.why = sorted.why == null ? opened.refusal() : sorted.why;
        stuck.add(message.position().partition());
        sorted.back.add(Settle.release(handle).delayMs(RETRY_MS));
      }
    }
    return sorted;
  }

  /** Acks what a pop with autoAck is about to be given, now that it can be; only that is given. */
  private Result<List<Delivery>> acked(List<Delivery> opened) {
    Reply reply = settle(opened.stream().map(delivery -> Settle.ack(delivery.handle())).toList());
    if (!(reply instanceof Reply.SettledMessages settled)) {
      return Result.refused(((Reply.Refused) reply).refusal());
    }
    List<Delivery> given = new ArrayList<>();
    for (int i = 0; i < opened.size(); i++) {
      if (settled.verdicts().get(i).applied()) {
        Delivery one = opened.get(i);
        given.add(new Delivery(one.message(), "", one.attempt(), one.failures(), one.expiries()));
      }
    }
    return Result.ok(given);
  }

  /** It has begun, so it is not refused for want of room. */
  private Reply settle(List<Settle> settles) {
    return settles.isEmpty()
        ? new Reply.SettledMessages(List.of())
        : shard.continueWith(new Command.SettleMessages(new SettleRequest(settles, false)));
  }
}
