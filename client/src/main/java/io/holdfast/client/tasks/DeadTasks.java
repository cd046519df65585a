package io.holdfast.client.tasks;

import io.holdfast.api.Broker;
import io.holdfast.api.Limits;
import io.holdfast.api.Result;
import io.holdfast.api.dead.DeadLetter;
import io.holdfast.api.dead.DeadLetterFilter;
import io.holdfast.api.dead.DeadLetters;
import io.holdfast.api.dead.DeadLettersRequest;
import io.holdfast.api.dead.RequeueRequest;
import io.holdfast.api.message.Attempt;
import io.holdfast.api.queue.Affected;
import io.holdfast.api.queue.QueueInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The dead tasks of all topics: looked at, tried again, or given up.
 *
 * <p>Thread: any.
 */
final class DeadTasks {
  /** Most entries of a list. */
  static final int LISTED_MAX = 10_000;

  private final Broker broker;
  private final Topics topics;
  private final Places places;
  private final TaskLog log;

  DeadTasks(Broker broker, Topics topics, Places places, TaskLog log) {
    this.broker = broker;
    this.topics = topics;
    this.places = places;
    this.log = log;
  }

  /** The dead tasks of all topics, oldest death first. */
  List<DlqEntry> list() {
    List<DlqEntry> oldest = List.of();
    for (QueueInfo topic : withDead()) {
      oldest =
          Stream.concat(oldest.stream(), list(topic.name()).stream())
              .sorted(Comparator.comparing(DlqEntry::addedAt))
              .limit(LISTED_MAX)
              .toList();
    }
    return oldest;
  }

  List<DlqEntry> list(String topic) {
    List<DlqEntry> entries = new ArrayList<>();
    each(
        topic,
        letter -> {
          entries.add(entry(letter));
          return entries.size() < LISTED_MAX;
        });
    return List.copyOf(entries);
  }

  long requeue(UUID taskId) {
    long count = change(taskId, filter -> broker.requeue(RequeueRequest.of(filter)));
    log.requeued(taskId, count);
    return count;
  }

  long remove(UUID taskId) {
    long count = change(taskId, broker::removeDeadLetters);
    log.removed(taskId, count);
    return count;
  }

  long clear() {
    long count = 0;
    for (QueueInfo topic : withDead()) {
      Affected affected =
          Answers.found(broker.removeDeadLetters(DeadLetterFilter.queue(topic.name())));
      count += affected == null ? 0 : affected.count();
    }
    log.cleared(count);
    return count;
  }

  private List<QueueInfo> withDead() {
    return topics.list().stream().filter(topic -> topic.counts().dead() > 0).toList();
  }

  private long change(UUID taskId, Function<DeadLetterFilter, Result<Affected>> verb) {
    Places.Place place = places.find(taskId);
    long count = place == null ? 0 : change(place, verb);
    if (count == 0) {
      // Its name may be forgotten, while the dead letter is kept: look at every one.
      place = scan(taskId);
      count = place == null ? 0 : change(place, verb);
    }
    if (count == 0) {
      throw UnknownTaskException.notDead(taskId);
    }
    return count;
  }

  private static long change(
      Places.Place place, Function<DeadLetterFilter, Result<Affected>> verb) {
    Affected affected =
        Answers.found(verb.apply(DeadLetterFilter.queue(place.topic()).message(place.messageId())));
    return affected == null ? 0 : affected.count();
  }

  private Places.@Nullable Place scan(UUID taskId) {
    List<Places.Place> found = new ArrayList<>();
    for (QueueInfo topic : withDead()) {
      each(
          topic.name(),
          letter -> {
            UUID id = TaskCodec.id(letter.message().transactionId(), letter.message().id());
            if (id.equals(taskId)) {
              found.add(new Places.Place(topic.name(), letter.message().id()));
            }
            return found.isEmpty();
          });
      if (!found.isEmpty()) {
        places.remember(taskId, topic.name(), found.get(0).messageId());
        return found.get(0);
      }
    }
    return null;
  }

  /** Goes over the dead letters of a topic for as long as it is wanted. */
  private void each(String topic, Predicate<DeadLetter> more) {
    DeadLetterFilter filter = DeadLetterFilter.queue(topic);
    String after = null;
    do {
      DeadLetters page =
          Answers.found(broker.deadLetters(new DeadLettersRequest(filter, after, Limits.PAGE_MAX)));
      if (page == null) {
        return;
      }
      for (DeadLetter letter : page.items()) {
        if (!more.test(letter)) {
          return;
        }
      }
      after = page.next();
    } while (after != null);
  }

  private static DlqEntry entry(DeadLetter letter) {
    List<Attempt> attempts = letter.attempts();
    return new DlqEntry(
        TaskCodec.task(letter.message()),
        letter.group(),
        reason(letter),
        letter.failures() + letter.expiries(),
        letter.error(),
        attempts.stream().map(DeadTasks::error).toList(),
        Instant.ofEpochMilli(letter.diedMs()));
  }

  private static String reason(DeadLetter letter) {
    List<Attempt> attempts = letter.attempts();
    Attempt.Cause last =
        attempts.isEmpty() ? Attempt.Cause.NACKED : attempts.get(attempts.size() - 1).cause();
    return switch (last) {
      case NACKED -> "Max retries exceeded";
      case EXPIRED -> "No ack within the ack timeout, " + letter.expiries() + " times";
      case KILLED -> "Given up by its device";
      case WAITED_TOO_LONG -> "Waited too long to be delivered";
    };
  }

  /** What went wrong at an attempt, in words. */
  static String error(Attempt attempt) {
    if (attempt.error() != null) {
      return attempt.error();
    }
    return switch (attempt.cause()) {
      case EXPIRED -> "no ack within the ack timeout";
      case WAITED_TOO_LONG -> "waited too long";
      case NACKED, KILLED -> "no error given";
    };
  }
}
