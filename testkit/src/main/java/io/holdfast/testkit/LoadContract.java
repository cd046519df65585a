package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.lease.HeldLease;
import io.holdfast.api.lease.LeasesRequest;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.queue.ConfigureRequest;
import io.holdfast.api.queue.LoadsRequest;
import io.holdfast.api.queue.PurgeRequest;
import io.holdfast.api.queue.QueueLoad;
import io.holdfast.api.queue.QueueOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of what goes through queues, how far they are behind, and who holds messages. */
abstract class LoadContract extends ContractFixture {
  LoadContract(BrokerContract implementation) {
    super(implementation);
  }

  private List<QueueLoad> loads() {
    return broker.loads(LoadsRequest.first()).orThrow().items();
  }

  private QueueLoad load() {
    return loads().stream().filter(load -> load.queue().equals(QUEUE)).findFirst().orElseThrow();
  }

  private List<HeldLease> leases(LeasesRequest request) {
    return broker.leases(request).orThrow().items();
  }

  @Test
  void shouldCountWhatGoesThroughAQueue() {
    // given
    configure(QueueOption.RETRY_LIMIT, 0);
    pushAll("a", "b", "c", "d");
    push(message("other", "x"));
    // when
    Popped popped = pop(many());
    ack(popped.messages().get(0));
    ack(popped.messages().get(1));
    nack(popped.messages().get(2), "bad");
    // then
    QueueLoad load = load();
    assertThat(load.pushed()).isEqualTo(4);
    assertThat(load.delivered()).isEqualTo(4);
    assertThat(load.acked()).isEqualTo(2);
    assertThat(load.nacked()).isEqualTo(1);
    assertThat(load.dead()).isEqualTo(1);
    assertThat(load.lag()).isEqualTo(1);
    assertThat(loads()).extracting(QueueLoad::queue).containsExactly(QUEUE, "other").isSorted();
  }

  @Test
  void shouldTellTheAgeOfTheOldestMessageThatIsNotSettled() {
    // given
    push("a");
    advanceSeconds(10);
    push(message("b").partition("p2"));
    advanceSeconds(5);
    // then
    assertThat(load().oldestMs()).as("without groups").isEqualTo(15_000);
    Popped first = pop(one());
    assertThat(load().oldestMs()).as("one in flight").isEqualTo(15_000);
    ackAll(first);
    assertThat(load().oldestMs()).as("the other one waits").isEqualTo(5_000);
    assertThat(load().lag()).isEqualTo(1);
    ackAll(pop(one()));
    assertThat(load().oldestMs()).as("nothing is left").isZero();
    assertThat(load().lag()).isZero();
  }

  @Test
  void shouldTellTheAgeByTheSlowestGroup() {
    // given
    pop(one().group("slow"));
    pop(one().group("fast"));
    push("a");
    advanceSeconds(10);
    push("b");
    // when
    ackAll(pop(many().group("fast")));
    // then
    assertThat(load().lag()).isEqualTo(2);
    assertThat(load().oldestMs()).isEqualTo(10_000);
  }

  @Test
  void shouldTellTheAgeOfWhatCameBackAndOfWhatWasPurged() {
    // given
    push("a");
    advanceSeconds(3);
    nack(popOne(), "later");
    // then
    assertThat(load().oldestMs()).isEqualTo(3_000);
    broker.purge(new PurgeRequest(QUEUE, null)).orThrow();
    assertThat(load().oldestMs()).isZero();
  }

  @Test
  void shouldListLoadsPageByPage() {
    // given
    for (int i = 0; i < 5; i++) {
      push(message("q" + i, "x"));
    }
    // when
    List<String> names = new ArrayList<>();
    String after = null;
    do {
      Page<QueueLoad> page = broker.loads(new LoadsRequest(after, 2)).orThrow();
      page.items().forEach(load -> names.add(load.queue()));
      after = page.next();
    } while (after != null);
    // then
    assertThat(names).containsExactly("q0", "q1", "q2", "q3", "q4");
  }

  @Test
  void shouldListTheLeasesOfAQueueThatEndFirst() {
    // given
    configure(ConfigureRequest.queue(QUEUE).set(QueueOption.DELIVERY, "shared"));
    pushAll("a", "b", "c");
    push(message("other", "x"));
    Popped late = pop(one().worker("w1").leaseMs(20_000));
    Popped soon = pop(one().worker("w2").leaseMs(10_000));
    Popped others = pop(one().group("g").leaseMs(15_000).batch(2));
    pop(PopRequest.queue("other"));
    // then
    assertThat(leases(LeasesRequest.ofQueue(QUEUE)))
        .containsExactly(
            new HeldLease(soon.leaseId(), GROUP, "w2", PARTITION, 1, now(), now() + 10_000, 1),
            new HeldLease(others.leaseId(), "g", null, PARTITION, 1, now(), now() + 15_000, 2),
            new HeldLease(late.leaseId(), GROUP, "w1", PARTITION, 1, now(), now() + 20_000, 1));
    assertThat(leases(new LeasesRequest(QUEUE, "g", null, 10)))
        .extracting(HeldLease::id)
        .containsExactly(others.leaseId());
    ackAll(soon);
    assertThat(leases(LeasesRequest.ofQueue(QUEUE)))
        .extracting(HeldLease::id)
        .containsExactly(others.leaseId(), late.leaseId());
  }

  @Test
  void shouldListLeasesPageByPage() {
    // given
    configure(QueueOption.DELIVERY, "shared");
    List<String> granted = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      push("m" + i);
      granted.add(pop(one().leaseMs(10_000 + i)).leaseId());
    }
    // when
    List<String> listed = new ArrayList<>();
    String after = null;
    do {
      Page<HeldLease> page = broker.leases(new LeasesRequest(QUEUE, null, after, 2)).orThrow();
      page.items().forEach(lease -> listed.add(lease.id()));
      after = page.next();
    } while (after != null);
    // then
    assertThat(listed).containsExactlyElementsOf(granted);
  }

  @Test
  void shouldSayThatThereIsNoSuchQueue() {
    assertThat(broker.leases(LeasesRequest.ofQueue("none")).refusal().code())
        .isEqualTo(ErrorCode.NOT_FOUND);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> broker.leases(new LeasesRequest(QUEUE, null, "x", 1)))
        .withMessageContaining("after: expected the next of an earlier page");
  }
}
