package io.holdfast.api.message;

import io.holdfast.api.Check;
import io.holdfast.api.Limits;
import io.holdfast.api.lease.PopRequest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which messages of a queue to look at, without taking them.
 *
 * @param group whose view of the states; {@link PopRequest#QUEUE_MODE} if in doubt
 * @param partition only this one; null for all
 * @param states only these; empty for all
 * @param transactionId only messages of that name; null for all
 * @param fromMs only messages created at or after; 0 for all
 * @param toMs only messages created before; {@link Long#MAX_VALUE} for all
 * @param after the text of a {@link BrowsePlace}: the next of an earlier page, or one made up; null
 *     for the beginning
 */
public record BrowseRequest(
    String queue,
    String group,
    @Nullable String partition,
    Set<MessageState> states,
    @Nullable String transactionId,
    long fromMs,
    long toMs,
    @Nullable String after,
    int limit) {
  public BrowseRequest {
    Check.name("queue", queue);
    Check.name("group", group);
    states = Set.copyOf(states);
    Check.notNegative("fromMs", fromMs);
    Check.notNegative("toMs", toMs);
    Check.within("limit", limit, 1, Limits.PAGE_MAX);
  }

  public static BrowseRequest queue(String queue) {
    return new BrowseRequest(
        queue, PopRequest.QUEUE_MODE, null, Set.of(), null, 0, Long.MAX_VALUE, null, 100);
  }

  public BrowseRequest group(String name) {
    return new BrowseRequest(
        queue, name, partition, states, transactionId, fromMs, toMs, after, limit);
  }

  public BrowseRequest partition(String name) {
    return new BrowseRequest(queue, group, name, states, transactionId, fromMs, toMs, after, limit);
  }

  public BrowseRequest states(MessageState... only) {
    return new BrowseRequest(
        queue, group, partition, Set.of(only), transactionId, fromMs, toMs, after, limit);
  }

  public BrowseRequest transactionId(String name) {
    return new BrowseRequest(queue, group, partition, states, name, fromMs, toMs, after, limit);
  }

  public BrowseRequest created(long from, long to) {
    return new BrowseRequest(
        queue, group, partition, states, transactionId, from, to, after, limit);
  }

  public BrowseRequest after(@Nullable String cursor) {
    return new BrowseRequest(
        queue, group, partition, states, transactionId, fromMs, toMs, cursor, limit);
  }

  public BrowseRequest limit(int count) {
    return new BrowseRequest(
        queue, group, partition, states, transactionId, fromMs, toMs, after, count);
  }
}
