package io.holdfast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.engine.command.Effect;
import io.holdfast.engine.command.WorkerNumber;
import io.holdfast.testkit.TestScale;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Parked pops against a model of queues: whenever all that were woken have looked, none of those
 * that still wait would find a message.
 *
 * <p>Pops behave as {@link PopPoll} does: they arm, look, and only later act on what they found, so
 * that pushes come in between.
 */
class WaitersModelTest {
  private static final List<String> GROUPS = List.of("g1", "g2");
  private static final List<String> QUEUES = List.of("shop.a", "shop.b");
  private static final List<String> PARTITIONS = List.of("p1", "p2");
  private static final List<String> WORKERS = List.of("w1", "w2");

  private enum Source {
    QUEUE,
    PARTITION,
    NAMESPACE,
    TASK
  }

  private static final List<List<Source>> MIXES =
      List.of(
          List.of(Source.values()),
          List.of(Source.QUEUE),
          List.of(Source.PARTITION),
          List.of(Source.NAMESPACE),
          List.of(Source.QUEUE, Source.PARTITION),
          List.of(Source.NAMESPACE, Source.TASK));
  private static final int STEPS = 600;
  private static final int PARKED_MAX = 20;

  /** A message for a group; several pops may take from one partition at a time. */
  private record Place(String group, String queue, String partition) {}

  /** A pop that waits. */
  private final class Pop {
    final PopRequest request;
    final Waiters.Waiter waiter;
    boolean looking = true;
    @Nullable Place found;
    boolean more;

    Pop(PopRequest request) {
      this.request = request;
      this.waiter = Objects.requireNonNull(waiters.enter(request, () -> {}));
    }

    /** Takes a message if there is one; what it took is known to the pop only later. */
    void look() {
      found = null;
      for (Place place : waiting.keySet()) {
        if (fits(place)) {
          found = place;
          break;
        }
      }
      if (found != null) {
        String queue = found.queue();
        take(found);
        more = waiting.keySet().stream().anyMatch(p -> p.queue().equals(queue) && fits(p));
      }
    }

    boolean fits(Place place) {
      return place.group().equals(request.group())
          && switch (request.source()) {
            case PopSource.WholeQueue whole -> whole.queue().equals(place.queue());
            case PopSource.OnePartition one ->
                one.queue().equals(place.queue()) && one.partition().equals(place.partition());
            case PopSource.Tagged tagged -> fits(tagged, tags(place.queue()));
          };
    }

    private static boolean fits(PopSource.Tagged wanted, PopSource.Tagged tags) {
      return (wanted.namespace() == null || wanted.namespace().equals(tags.namespace()))
          && (wanted.task() == null || wanted.task().equals(tags.task()));
    }
  }

  private final Waiters waiters = new Waiters(1_000);
  private final Map<Place, Integer> waiting = new HashMap<>();
  private final List<Pop> pops = new ArrayList<>();
  private List<Source> sources = List.of();
  private int served;
  private int pushed;

  @Test
  void shouldLoseNoWakeUp() {
    for (long seed = 1; seed <= TestScale.rounds(300, 20_000); seed++) {
      new WaitersModelTest().play(seed);
    }
  }

  private void play(long seed) {
    Random random = new Random(seed);
    sources = MIXES.get((int) (seed % MIXES.size()));
    for (int step = 0; step < STEPS; step++) {
      step(random);
      if (random.nextInt(20) == 0) {
        settleDown(random);
        for (Pop pop : pops) {
          assertThat(waiting.keySet()).as("seed %s, %s", seed, pop.request).noneMatch(pop::fits);
        }
      }
    }
    settleDown(random);
    assertThat(served).isEqualTo(pushed - waiting.values().stream().mapToInt(n -> n).sum());
    List.copyOf(pops).forEach(this::leave);
    assertThat(waiters.count()).isZero();
  }

  private void step(Random random) {
    // More pops than messages, so that lines are long and most pops wait.
    switch (random.nextInt(10)) {
      case 0 -> push(random);
      case 1, 2, 3 -> {
        if (pops.size() < PARKED_MAX) {
          pops.add(new Pop(request(random)));
        }
      }
      case 4, 5, 6, 7, 8 -> {
        if (!pops.isEmpty()) {
          act(pick(pops, random));
        }
      }
      default -> {
        // Often one that was just signalled.
        List<Pop> signalled = pops.stream().filter(pop -> pop.waiter.isSignalled()).toList();
        List<Pop> some = signalled.isEmpty() ? pops : signalled;
        if (!some.isEmpty()) {
          giveUp(pick(some, random));
        }
      }
    }
  }

  /** Pushes to a few partitions in one batch. */
  private void push(Random random) {
    List<Effect> effects = new ArrayList<>();
    for (int i = random.nextInt(2); i >= 0; i--) {
      String queue = pick(QUEUES, random);
      String partition = pick(PARTITIONS, random);
      int count = 1 + random.nextInt(2);
      for (String group : GROUPS) {
        waiting.merge(new Place(group, queue, partition), count, Integer::sum);
        pushed += count;
      }
      List<Effect.Preferred> preferred = new ArrayList<>();
      for (String group : random.nextBoolean() ? GROUPS : List.<String>of()) {
        int worker = WorkerNumber.of(sticky(PopRequest.queue(queue), random));
        preferred.add(new Effect.Preferred(group, worker));
      }
      effects.add(new Effect.WakePops(queue, partition, tags(queue), preferred));
    }
    waiters.run(effects);
  }

  /** A pop of the sources that are in play: others would take what a lost wake-up leaves. */
  private PopRequest request(Random random) {
    PopRequest request =
        switch (pick(sources, random)) {
          case QUEUE -> PopRequest.queue(pick(QUEUES, random));
          case PARTITION -> PopRequest.partition(pick(QUEUES, random), pick(PARTITIONS, random));
          case NAMESPACE -> PopRequest.of(new PopSource.Tagged("shop", null));
          case TASK ->
              PopRequest.of(new PopSource.Tagged(random.nextBoolean() ? "shop" : null, "a"));
        };
    return (random.nextInt(3) == 0 ? sticky(request, random) : request)
        .group(pick(GROUPS, random))
        .joinLease(random.nextInt(8) == 0 ? "AAAAAAAAAAA" : null);
  }

  private static PopRequest sticky(PopRequest request, Random random) {
    return request.worker(pick(WORKERS, random)).stickyMs(100);
  }

  private static PopSource.Tagged tags(String queue) {
    int dot = queue.indexOf('.');
    return new PopSource.Tagged(queue.substring(0, dot), queue.substring(dot + 1));
  }

  private static <T> T pick(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }

  /** Lets a pop do its next step: look, or act on what it found, or sleep on. */
  private void act(Pop pop) {
    if (pop.looking) {
      pop.look();
      pop.looking = false;
    } else if (pop.found != null) {
      if (pop.more) {
        pop.waiter.passOn();
      }
      leave(pop);
    } else if (pop.waiter.isSignalled()) {
      pop.waiter.arm();
      pop.looking = true;
    }
  }

  /** A pop whose time is up leaves, but not with a message that it does not answer. */
  private void giveUp(Pop pop) {
    if (!pop.looking && pop.found == null) {
      leave(pop);
    }
  }

  private void leave(Pop pop) {
    pops.remove(pop);
    pop.waiter.close();
    served += pop.found == null ? 0 : 1;
  }

  /** Lets pops go on until none of them has anything to do. */
  private void settleDown(Random random) {
    while (true) {
      List<Pop> busy =
          pops.stream()
              .filter(pop -> pop.looking || pop.found != null || pop.waiter.isSignalled())
              .toList();
      if (busy.isEmpty()) {
        return;
      }
      act(pick(busy, random));
    }
  }

  private void take(Place place) {
    waiting.computeIfPresent(place, (any, count) -> count == 1 ? null : count - 1);
  }
}
