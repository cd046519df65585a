package io.holdfast.server.http;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.api.Result;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueuesRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists of the broker as a whole: their pages are read one after another, as far as needed. */
public final class Pages {
  private Pages() {}

  /**
   * The items of a list.
   *
   * @param read reads the page that begins at a cursor; null for the first one
   */
  public static <T> Stream<T> stream(Function<@Nullable String, Page<T>> read) {
    return Stream.iterate(
            Optional.of(read.apply(null)),
            Optional::isPresent,
            page -> page.map(Page::next).map(read))
        .flatMap(page -> page.orElseThrow().items().stream());
  }

  /** A page; an empty one, the last, if the broker refused it. */
  public static <T> Page<T> orEmpty(Result<Page<T>> page) {
    return page.isOk() ? page.orThrow() : new Page<>(List.of(), null);
  }

  /** All queues, by name. */
  public static Stream<QueueInfo> queues(Broker broker) {
    return queues(broker, null, null);
  }

  /** The queues of a namespace and a task; null for any. */
  public static Stream<QueueInfo> queues(
      Broker broker, @Nullable String namespace, @Nullable String task) {
    return stream(
        after ->
            Refusals.orThrow(
                broker.queues(new QueuesRequest("", namespace, task, after, Limits.PAGE_MAX))));
  }

  /** The groups of a queue and of a name, by queue; null for any. */
  public static Stream<GroupInfo> groups(
      Broker broker, @Nullable String queue, @Nullable String group) {
    return stream(
        after ->
            Refusals.orThrow(
                broker.groups(new GroupsRequest(queue, group, after, Limits.PAGE_MAX))));
  }
}
