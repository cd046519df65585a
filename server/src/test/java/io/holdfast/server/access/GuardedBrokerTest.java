package io.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.holdfast.api.Broker;
import io.holdfast.api.ErrorCode;
import io.holdfast.api.Page;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.api.commit.RecordsRequest;
import io.holdfast.api.commit.StoredRecord;
import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.group.GroupsRequest;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Handle;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.lease.Settle;
import io.holdfast.api.lease.SettleRequest;
import io.holdfast.api.lease.SettleVerdict;
import io.holdfast.api.message.CancelRequest;
import io.holdfast.api.message.MessageRef;
import io.holdfast.api.message.NewMessage;
import io.holdfast.api.message.Position;
import io.holdfast.api.message.PushRequest;
import io.holdfast.api.message.Pushed;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueuesRequest;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.server.access.Samples.Sample;
import io.holdfast.server.http.RequestId;
import io.holdfast.testkit.ManualClock;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each verb for a caller whose token is for some queues only. */
class GuardedBrokerTest {
  private static final Grant LIMITED =
      new Grant("abcdefghjk", "limited", Role.ADMIN, NamePatterns.of(List.of("in.*")));

  private final Broker open = EmbeddedBroker.open(EngineConfig.inMemory(), new ManualClock());
  private final GuardedBroker guarded = new GuardedBroker(open);
  private Aim in;
  private Aim out;

  @BeforeEach
  void prepare() {
    in = Aim.at(open, "in.a");
    out = Aim.at(open, "out.a");
  }

  @AfterEach
  void close() {
    open.close();
  }

  private static <T> T as(Grant grant, Supplier<T> act) {
    return new Caller(grant, null, RequestId.made(), () -> true).as(act);
  }

  private static <T> T limited(Supplier<T> act) {
    return as(LIMITED, act);
  }

  @TestFactory
  Stream<DynamicTest> shouldAnswerNobodyWithoutACaller() {
    return Verbs.ALL.stream()
        .map(
            verb ->
                dynamicTest(
                    verb.name(),
                    () -> {
                      for (Sample sample : Samples.of(verb, in)) {
                        assertThatThrownBy(() -> ask(verb, guarded, sample))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("nobody knows whose");
                        Caller stranger = new Caller(null, null, RequestId.made(), () -> true);
                        assertThatThrownBy(() -> stranger.as(() -> ask(verb, guarded, sample)))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("not public");
                      }
                    }));
  }

  @SuppressWarnings("unchecked")
  private static <I> Result<?> ask(Verb<I, ?> verb, Broker broker, Sample sample) {
    return verb.ask(broker, (I) Objects.requireNonNull(sample.value()));
  }

  /** What is outside is refused by its name, or as if it were not there; and nothing happens. */
  @TestFactory
  Stream<DynamicTest> shouldKeepEachVerbInside() {
    List<DynamicTest> tests = new ArrayList<>();
    int number = 0;
    for (Verb<?, ?> verb : Verbs.ALL) {
      if (verb == Verbs.OPEN_SESSION) {
        // It concerns no queue, and its answer is random.
        continue;
      }
      int samples = Samples.of(verb, in).size();
      for (int i = 0; i < samples; i++) {
        int index = i;
        String queue = "out." + number++;
        tests.add(
            dynamicTest(
                verb.name() + " " + index,
                () -> {
                  Aim hidden = Aim.at(open, queue);
                  Aim none = absent(hidden);
                  String before = hidden.state(open);
                  Sample sample = Samples.of(verb, hidden).get(index);
                  Result<?> result = limited(() -> ask(verb, guarded, sample));
                  assertThat(hidden.state(open)).isEqualTo(before);
                  assertThat(String.valueOf(result)).doesNotContain(hidden.secret());
                  if (sample.names()) {
                    assertThat(result.isOk()).as("%s", result).isFalse();
                    assertThat(result.refusal().code()).isEqualTo(ErrorCode.FORBIDDEN);
                    assertThat(result.refusal().detail()).contains(queue, "limited", "in.*");
                  } else {
                    Result<?> ofAbsent =
                        limited(() -> ask(verb, guarded, Samples.of(verb, none).get(index)));
                    assertThat(told(verb, result))
                        .as("as if it were not there")
                        .isEqualTo(told(verb, ofAbsent));
                  }
                }));
      }
    }
    return tests.stream();
  }

  /** An answer as it goes over the wire, where arrays are equal if what is in them is. */
  @SuppressWarnings("unchecked")
  private static <O> String told(Verb<?, O> verb, Result<?> result) {
    return result.isOk()
        ? HexFormat.of().formatHex(verb.answerBytes((O) result.orThrow()))
        : result.refusal().toString();
  }

  /** The same aim, where nothing is. */
  private static Aim absent(Aim aim) {
    return new Aim(
        aim.queue(),
        aim.group(),
        "AAAAAAAAAAE",
        new Position(1L << 30, 0, 1),
        UUID.fromString("019b76da-a800-7000-8000-0fffffffffff"),
        "never-pushed",
        UUID.fromString("019b76da-a800-7000-8000-0fffffffffff"),
        aim.kept());
  }

  @TestFactory
  Stream<DynamicTest> shouldLetEachVerbWorkInside() {
    List<DynamicTest> tests = new ArrayList<>();
    int number = 0;
    for (Verb<?, ?> verb : Verbs.ALL) {
      int samples = Samples.of(verb, in).size();
      for (int i = 0; i < samples; i++) {
        int index = i;
        String queue = "in." + number;
        String twin = "in.twin." + number++;
        tests.add(
            dynamicTest(
                verb.name() + " " + index,
                () -> {
                  Result<?> result =
                      limited(
                          () ->
                              ask(verb, guarded, Samples.of(verb, Aim.at(open, queue)).get(index)));
                  Result<?> plain =
                      ask(verb, open, Samples.of(verb, Aim.at(open, twin)).get(index));
                  boolean tagged =
                      String.valueOf(Samples.of(verb, in).get(index).value()).contains("Tagged[");
                  if (tagged || verb == Verbs.STATS) {
                    assertThat(result.refusal().code()).isEqualTo(ErrorCode.FORBIDDEN);
                    assertThat(result.refusal().detail()).contains("a token for all queues");
                  } else {
                    assertThat(result.isOk()).as("%s", result).isEqualTo(plain.isOk());
                    if (!result.isOk()) {
                      assertThat(result.refusal().code()).isEqualTo(plain.refusal().code());
                    }
                  }
                }));
      }
    }
    return tests.stream();
  }

  @Test
  void shouldRefuseAPushOfWhichOneMessageIsOutside() {
    PushRequest request =
        PushRequest.of(
            NewMessage.to("in.new", new byte[] {'1'}), NewMessage.to("out.new", new byte[] {'1'}));
    Refusal why = limited(() -> guarded.push(request)).refusal();
    assertThat(why.code()).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(why.detail()).contains("the queue out.new");
    assertThat(open.queue("in.new").isOk()).isFalse();
    assertThat(open.queue("out.new").isOk()).isFalse();
  }

  @Test
  void shouldSettleInsideAndTakeTheOutsideForStale() {
    Handle inside = new Handle(in.lease(), in.position());
    Handle outside = new Handle(out.lease(), out.position());
    SettleRequest both = SettleRequest.of(Settle.ack(outside), Settle.ack(inside));
    List<SettleVerdict> verdicts = limited(() -> guarded.settle(both)).orThrow().verdicts();
    assertThat(verdicts)
        .extracting(SettleVerdict::status)
        .containsExactly(SettleVerdict.Status.STALE_LEASE, SettleVerdict.Status.ACKED);
  }

  @Test
  void shouldSettleNothingOfAnAtomicRequestWithTheOutsideInIt() {
    String before = in.state(open) + out.state(open);
    Handle inside = new Handle(in.lease(), in.position());
    Settle outside = Settle.unfenced(out.group(), out.id(), Settle.Outcome.ACK, null);
    SettleRequest both = SettleRequest.atomic(List.of(Settle.ack(inside), outside));
    List<SettleVerdict> verdicts = limited(() -> guarded.settle(both)).orThrow().verdicts();
    assertThat(verdicts)
        .extracting(SettleVerdict::status)
        .containsExactly(SettleVerdict.Status.NOT_APPLIED, SettleVerdict.Status.NOT_FOUND);
    assertThat(in.state(open) + out.state(open)).isEqualTo(before);
  }

  @Test
  void shouldCheckBothEndsOfACommit() {
    // given
    String before = in.state(open) + out.state(open);
    Operation ackInside =
        new Operation.SettleMessage(Settle.ack(new Handle(in.lease(), in.position())));
    Operation pushOutside =
        new Operation.PushMessage(NewMessage.to("out.a", new byte[] {'1'}), false);
    Operation ackOutside =
        new Operation.SettleMessage(Settle.ack(new Handle(out.lease(), out.position())));
    Operation pushInside =
        new Operation.PushMessage(NewMessage.to("in.a", new byte[] {'1'}), false);
    // when
    Refusal pushed =
        limited(() -> guarded.commit(CommitRequest.of(ackInside, pushOutside))).refusal();
    Refusal acked =
        limited(() -> guarded.commit(CommitRequest.of(pushInside, ackOutside))).refusal();
    // then
    assertThat(pushed.code()).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(acked.code()).isEqualTo(ErrorCode.STALE_LEASE);
    assertThat(acked.operation()).isEqualTo(1);
    assertThat(in.state(open) + out.state(open)).isEqualTo(before);
    assertThat(limited(() -> guarded.commit(CommitRequest.of(ackInside, pushInside))).isOk())
        .isTrue();
  }

  @Test
  void shouldNotLetOneTokenUseUpTheRequestIdsOfAnother() {
    // given
    Grant other = new Grant("bbbbbbbbbb", "other", Role.ADMIN, NamePatterns.of(List.of("in.*")));
    PushRequest first = new PushRequest(List.of(NewMessage.to("in.r", new byte[] {'1'})), "same");
    PushRequest second = new PushRequest(List.of(NewMessage.to("in.s", new byte[] {'2'})), "same");
    // when
    Pushed ours = limited(() -> guarded.push(first)).orThrow();
    Pushed theirs = as(other, () -> guarded.push(second)).orThrow();
    // then
    assertThat(theirs).isNotEqualTo(ours);
    assertThat(open.queue("in.s").orThrow().counts().waiting()).isEqualTo(1);
    assertThat(limited(() -> guarded.push(first)).orThrow()).as("a repeat").isEqualTo(ours);
    CommitRequest commit =
        new CommitRequest(
            List.of(new Operation.PushMessage(NewMessage.to("in.t", new byte[] {'3'}), false)),
            "x".repeat(1024));
    Committed done = limited(() -> guarded.commit(commit)).orThrow();
    assertThat(limited(() -> guarded.commit(commit)).orThrow()).isEqualTo(done);
    assertThat(as(other, () -> guarded.commit(commit)).orThrow()).isNotEqualTo(done);
  }

  @Test
  void shouldKnowTheLeasesThatItsOwnPopsBrought() {
    // given
    open.push(PushRequest.of(NewMessage.to("in.b", new byte[] {'1'}))).orThrow();
    Popped popped = limited(() -> guarded.pop(PopRequest.queue("in.b"))).orThrow();
    // when
    ExtendRequest extend = new ExtendRequest(popped.leaseId(), 60_000, 0);
    // then
    assertThat(limited(() -> guarded.extend(extend)).isOk()).isTrue();
    assertThat(limited(() -> guarded.lease(popped.leaseId())).orThrow().queue()).isEqualTo("in.b");
    assertThat(
            limited(() -> guarded.pop(PopRequest.queue("in.b").joinLease(out.lease())))
                .refusal()
                .code())
        .isEqualTo(ErrorCode.STALE_LEASE);
    SettleRequest ack = SettleRequest.of(Settle.ackAll(popped.leaseId()));
    assertThat(limited(() -> guarded.settle(ack)).orThrow().verdicts().getFirst().status())
        .isEqualTo(SettleVerdict.Status.ACKED);
    assertThat(limited(() -> guarded.settle(ack)).orThrow().verdicts().getFirst().status())
        .isEqualTo(SettleVerdict.Status.ALREADY_SETTLED);
  }

  @Test
  void shouldNotTellUnderALeaseOfItsOwnWhatIsOutside() {
    for (long partition : List.of(out.position().partition(), 1L << 30)) {
      Settle byName =
          new Settle(
              new Settle.Target.HeldByName(in.lease(), partition, out.name()),
              Settle.Outcome.ACK,
              null,
              Settle.QUEUE_DELAY,
              false);
      Settle byPlace = Settle.ack(new Handle(in.lease(), new Position(partition, 0, 1)));
      assertThat(
              limited(() -> guarded.settle(SettleRequest.of(byName, byPlace))).orThrow().verdicts())
          .extracting(SettleVerdict::status)
          .containsExactly(SettleVerdict.Status.NOT_FOUND, SettleVerdict.Status.STALE_LEASE);
    }
  }

  @Test
  void shouldTakeBackTheInsideAndNotFindTheOutside() {
    assertThat(limited(() -> guarded.cancel(CancelRequest.of(MessageRef.id(in.id())))).isOk())
        .isTrue();
    Refusal hidden =
        limited(() -> guarded.cancel(CancelRequest.of(MessageRef.id(out.id())))).refusal();
    assertThat(hidden)
        .isEqualTo(open.cancel(CancelRequest.of(MessageRef.id(new UUID(5, 5)))).refusal());
  }

  @Test
  void shouldListAllThatIsInsideAndNothingElse() {
    // given
    for (int i = 0; i < 60; i++) {
      String end = String.format("%02d", i);
      for (String queue : List.of("in." + end, "inner." + end, "out." + end)) {
        open.push(PushRequest.of(NewMessage.to(queue, new byte[] {'1'}))).orThrow();
        open.pop(PopRequest.queue(queue).group("readers")).orThrow();
        open.commit(CommitRequest.of(new Operation.PutRecord(queue, -1, new byte[] {'1'})))
            .orThrow();
      }
    }
    List<String> expected =
        Stream.concat(
                IntStream.range(0, 60).mapToObj(i -> "in." + String.format("%02d", i)),
                Stream.of("in.a"))
            .toList();
    // then
    for (int limit : List.of(1, 7, 1000)) {
      List<String> queues = new ArrayList<>();
      List<String> groups = new ArrayList<>();
      List<String> records = new ArrayList<>();
      String after = null;
      do {
        String from = after;
        Page<QueueInfo> page =
            limited(() -> guarded.queues(new QueuesRequest("", null, null, from, limit))).orThrow();
        assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
        page.items().forEach(queue -> queues.add(queue.name()));
        after = page.next();
      } while (after != null);
      do {
        String from = after;
        Page<GroupInfo> page =
            limited(() -> guarded.groups(new GroupsRequest(null, null, from, limit))).orThrow();
        assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
        page.items().forEach(group -> groups.add(group.queue()));
        after = page.next();
      } while (after != null);
      do {
        String from = after;
        Page<StoredRecord> page =
            limited(() -> guarded.records(new RecordsRequest("", from, limit))).orThrow();
        assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
        page.items().forEach(record -> records.add(record.key()));
        after = page.next();
      } while (after != null);
      assertThat(queues).containsExactlyInAnyOrderElementsOf(expected).doesNotHaveDuplicates();
      assertThat(groups).containsExactlyInAnyOrderElementsOf(expected).doesNotHaveDuplicates();
      assertThat(records)
          .containsExactlyInAnyOrderElementsOf(
              expected.stream().map(name -> name.equals("in.a") ? "in.a/kept" : name).toList())
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void shouldEndAPageOfLargeRecordsEarly() {
    // given
    for (int i = 0; i < 8; i++) {
      open.commit(CommitRequest.of(new Operation.PutRecord("in.large" + i, 0, new byte[900_000])))
          .orThrow();
    }
    // when
    Page<StoredRecord> page =
        limited(() -> guarded.records(new RecordsRequest("in.large", null, 100))).orThrow();
    // then
    assertThat(page.items().size()).isBetween(1, 7);
    assertThat(page.next()).isEqualTo(page.items().getLast().key());
  }

  @Test
  void shouldLetACallerForAllQueuesDoAsTheBrokerDoes() {
    Grant all = new Grant("abcdefghjk", "all", Role.ADMIN, NamePatterns.of(List.of("x", "*")));
    assertThat(as(all, guarded::stats).isOk()).isTrue();
    assertThat(as(all, () -> guarded.queues(QueuesRequest.all())).orThrow().items()).hasSize(2);
    assertThat(as(all, () -> guarded.lease(out.lease())).isOk()).isTrue();
  }

  @Test
  void shouldRememberABoundedNumberOfThings() {
    Remembered<Integer, String> remembered = new Remembered<>(10);
    for (int i = 0; i < 1_000; i++) {
      remembered.put(i, "v" + i);
      assertThat(remembered.size()).isLessThanOrEqualTo(20);
    }
    assertThat(remembered.get(999)).isEqualTo("v999");
    assertThat(remembered.get(0)).isNull();
    for (int i = 1_000; i < 1_100; i++) {
      remembered.put(i, "v" + i);
      assertThat(remembered.get(999)).as("what is used stays").isEqualTo("v999");
    }
  }
}
