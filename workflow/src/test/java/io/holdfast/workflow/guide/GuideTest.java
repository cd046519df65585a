package io.holdfast.workflow.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.Definition;
import io.holdfast.workflow.FlowException;
import io.holdfast.workflow.FlowInfo;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.guide.ApprovalFlow.Decision;
import io.holdfast.workflow.guide.ApprovalFlow.Expense;
import io.holdfast.workflow.guide.OrderFlow.Order;
import io.holdfast.workflow.guide.ParcelFlow.Parcels;
import io.holdfast.workflow.guide.PollingFlow.Poll;
import io.holdfast.workflow.guide.StepsFlow.CardRefused;
import io.holdfast.workflow.guide.SubscriptionFlow.Subscription;
import io.holdfast.workflow.guide.TripSaga.Trip;
import io.holdfast.workflow.test.FlowRuns;
import io.holdfast.workflow.test.FlowTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The flows of the guide: each does what the guide says, whatever goes wrong. */
@Tag("slow")
@Timeout(WaitLimits.TEST_SECONDS)
class GuideTest {
  /** Runs a test as it is, and under every fault there is. */
  private static void everyWay(FlowRuns.Body test, Definition... code) {
    FlowTest.with(code)
        .crashAtEveryCommit()
        .deliverEverythingTwice()
        .replayAtEveryTurn()
        .twoWorkers()
        .run(test);
  }

  @Test
  void shouldOrder() {
    everyWay(
        test -> {
          // given
          Set<String> charged = ConcurrentHashMap.newKeySet();
          test.fake(
              OrderFlow.CHARGE,
              (work, order) -> {
                charged.add(work.key());
                return "receipt";
              });
          Instant begun = test.now();
          // when
          test.start(OrderFlow.ORDER, "order-17", new Order("Ada", 1_200));
          test.advance(Duration.ofHours(1));
          // then
          assertThat(test.flows().find("order-17").orElseThrow().label())
              .isEqualTo("paid: receipt");
          assertThat(test.await("order-17", OrderFlow.ORDER)).isEqualTo("parcel to Ada");
          assertThat(test.now()).isAfterOrEqualTo(begun.plus(Duration.ofDays(1)));
          assertThat(charged).hasSize(1);
        },
        OrderFlow.ORDER,
        OrderFlow.CHARGE,
        OrderFlow.SHIP);
  }

  @Test
  void shouldTest() {
    try (FlowTest test = FlowTest.of(OrderFlow.ORDER, OrderFlow.CHARGE, OrderFlow.SHIP)) {
      test.fake(OrderFlow.CHARGE, (work, order) -> "receipt");
      test.start(OrderFlow.ORDER, "order-17", new Order("Ada", 1_200));
      assertThat(test.await("order-17", OrderFlow.ORDER)).isEqualTo("parcel to Ada");
    }
  }

  @Test
  void shouldTakeFirstSteps() {
    try (FlowTest test = FlowTest.of(OrderFlow.ORDER, OrderFlow.CHARGE, OrderFlow.SHIP)) {
      assertThat(OrderFlow.first(test.broker(), Duration.ofDays(2))).isEqualTo("parcel to Ada");
    }
  }

  @Test
  void shouldRetryAndGiveUp() {
    everyWay(
        test -> {
          AtomicInteger trouble = new AtomicInteger();
          test.fake(
              StepsFlow.PAY,
              (work, card) ->
                  switch (card) {
                    case "GOOD" -> {
                      if (trouble.incrementAndGet() < 3) {
                        throw new IllegalStateException("no connection");
                      }
                      yield "paid";
                    }
                    case "BAD" -> throw new CardRefused();
                    default -> {
                      test.hang();
                      yield "never";
                    }
                  });
          test.start(StepsFlow.PAYMENT, "good", " good ");
          test.start(StepsFlow.PAYMENT, "bad", "bad");
          test.start(StepsFlow.PAYMENT, "slow", "slow");
          assertThat(test.await("good", StepsFlow.PAYMENT)).isEqualTo("paid");
          assertThat(test.await("bad", StepsFlow.PAYMENT)).isEqualTo("refused");
          assertThat(test.await("slow", StepsFlow.PAYMENT)).isEqualTo("try later");
        },
        StepsFlow.PAYMENT,
        StepsFlow.PAY);
  }

  @Test
  void shouldDeliverParcels() {
    everyWay(
        test -> {
          test.start(ParcelFlow.SHIPMENT, "s", new Parcels("Ada", List.of("p1", "p2", "p3")));
          assertThat(test.await("s", ParcelFlow.SHIPMENT)).isEqualTo(3);
          assertThat(test.await("survey-s", ParcelFlow.SURVEY)).isEqualTo("asked Ada");
        },
        ParcelFlow.SHIPMENT,
        ParcelFlow.DELIVERY,
        ParcelFlow.SURVEY,
        ParcelFlow.HAND_OVER,
        ParcelFlow.ASK_CUSTOMER);
  }

  /** What is booked in the world; each call counts once. */
  private static final class World {
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final Set<String> booked = ConcurrentHashMap.newKeySet();

    World(FlowTest test) {
      test.fake(TripSaga.BOOK_HOTEL, (work, trip) -> book(work.key(), "hotel"));
      test.fake(TripSaga.BOOK_FLIGHT, (work, trip) -> book(work.key(), "flight"));
      test.fake(TripSaga.CANCEL_HOTEL, (work, trip) -> undo(work.key(), "hotel"));
      test.fake(TripSaga.CANCEL_FLIGHT, (work, trip) -> undo(work.key(), "flight"));
    }

    private String book(String key, String what) {
      if (seen.add(key)) {
        booked.add(what);
      }
      return what;
    }

    private String undo(String key, String what) {
      if (seen.add(key)) {
        booked.remove(what);
      }
      return "no " + what;
    }
  }

  private static final Definition[] TRIP = {
    TripSaga.TRIP,
    TripSaga.BOOK_HOTEL,
    TripSaga.BOOK_FLIGHT,
    TripSaga.CANCEL_HOTEL,
    TripSaga.CANCEL_FLIGHT
  };

  @Test
  void shouldTravel() {
    everyWay(
        test -> {
          World world = new World(test);
          test.start(TripSaga.TRIP, "t", new Trip("Ada", "Rome"));
          assertThat(test.await("t", TripSaga.TRIP)).isEqualTo("hotel and flight to Rome");
          assertThat(world.booked).containsExactlyInAnyOrder("hotel", "flight");
        },
        TRIP);
  }

  @Test
  void shouldUndoWhatWasDoneIfTheRestFails() {
    everyWay(
        test -> {
          World world = new World(test);
          test.fake(
              TripSaga.BOOK_FLIGHT,
              (work, trip) -> {
                throw new IllegalStateException("no seat");
              });
          test.start(TripSaga.TRIP, "t", new Trip("Ada", "Rome"));
          assertThatThrownBy(() -> test.await("t", TripSaga.TRIP))
              .isInstanceOf(FlowException.class)
              .hasMessageContaining("no seat");
          assertThat(world.booked).isEmpty();
        },
        TRIP);
  }

  @Test
  void shouldUndoWhatWasDoneIfItIsCancelled() {
    everyWay(
        test -> {
          World world = new World(test);
          test.fake(
              TripSaga.BOOK_FLIGHT,
              (work, trip) -> {
                test.sleep(Duration.ofMinutes(5));
                return world.book(work.key(), "flight");
              });
          test.start(TripSaga.TRIP, "t", new Trip("Ada", "Rome"));
          test.advance(Duration.ofMinutes(1));
          test.cancel("t", "Ada is ill");
          FlowInfo end = test.awaitEnd("t");
          assertThat(end.status()).isEqualTo(FlowStatus.CANCELLED);
          assertThat(end.reason()).isEqualTo("Ada is ill");
          assertThat(world.booked).doesNotContain("hotel");
        },
        TRIP);
  }

  @Test
  void shouldBeApproved() {
    everyWay(
        test -> {
          test.start(ApprovalFlow.APPROVAL, "e", new Expense("Ada", 9_900));
          test.advance(Duration.ofHours(30));
          assertThat(test.flows().find("e").orElseThrow().label()).isEqualTo("reminded 2 times");
          test.raise("e", "decision", new Decision(true, "Grace"));
          assertThat(test.await("e", ApprovalFlow.APPROVAL)).isEqualTo("approved by Grace");
        },
        ApprovalFlow.APPROVAL,
        ApprovalFlow.REMIND);
  }

  @Test
  void shouldBeForgotten() {
    everyWay(
        test -> {
          Set<String> mails = ConcurrentHashMap.newKeySet();
          test.fake(
              ApprovalFlow.REMIND,
              (work, expense) -> {
                mails.add(work.key());
                return "mail";
              });
          test.start(ApprovalFlow.APPROVAL, "e", new Expense("Ada", 9_900));
          assertThat(test.await("e", ApprovalFlow.APPROVAL)).isEqualTo("nobody decided");
          assertThat(mails).hasSize(3);
        },
        ApprovalFlow.APPROVAL,
        ApprovalFlow.REMIND);
  }

  @Test
  void shouldBeApprovedBeforeItIsAskedFor() {
    everyWay(
        test -> {
          test.raise("e", "decision", new Decision(false, "Grace"));
          test.settle();
          test.start(ApprovalFlow.APPROVAL, "e", new Expense("Ada", 9_900));
          assertThat(test.await("e", ApprovalFlow.APPROVAL)).isEqualTo("refused by Grace");
        },
        ApprovalFlow.APPROVAL,
        ApprovalFlow.REMIND);
  }

  @Test
  void shouldPoll() {
    everyWay(
        test -> {
          Instant done = test.now().plus(Duration.ofHours(12));
          test.fake(
              PollingFlow.CHECK,
              (work, job) -> job + (test.now().isBefore(done) ? " runs" : " done"));
          test.start(PollingFlow.POLLING, "p", new Poll("job-1", 60_000));
          assertThat(test.await("p", PollingFlow.POLLING)).isEqualTo("job-1 done");
          assertThat(test.now()).isAfterOrEqualTo(done);
          assertThat(test.flows().find("p").orElseThrow().execution()).isEqualTo(2);
        },
        PollingFlow.POLLING,
        PollingFlow.CHECK);
  }

  @Test
  void shouldFanOut() {
    everyWay(
        test -> {
          test.start(FanOutFlow.ALBUM, "a", List.of("a", "bb", "ccc", "dddd", "eeeee"));
          assertThat(test.await("a", FanOutFlow.ALBUM)).isEqualTo(15);
        },
        FanOutFlow.ALBUM,
        FanOutFlow.RESIZE);
  }

  @Test
  void shouldFanOutAtMostSoMany() {
    everyWay(
        test -> {
          test.fake(
              FanOutFlow.RESIZE,
              (work, picture) -> {
                test.sleep(Duration.ofSeconds(picture.length()));
                if (picture.length() == 4) {
                  throw new IllegalStateException(picture + " is damaged");
                }
                return picture.length();
              });
          test.start(FanOutFlow.ARCHIVE, "a", List.of("a", "bb", "ccc", "dddd", "eeeee"));
          assertThat(test.await("a", FanOutFlow.ARCHIVE)).containsExactly("dddd is damaged");
        },
        FanOutFlow.ARCHIVE,
        FanOutFlow.RESIZE);
  }

  @Test
  void shouldNotFanOutWider() {
    try (FlowTest test = FlowTest.of(FanOutFlow.ARCHIVE, FanOutFlow.RESIZE)) {
      AtomicInteger now = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      test.fake(
          FanOutFlow.RESIZE,
          (work, picture) -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            test.sleep(Duration.ofSeconds(picture.length()));
            return now.decrementAndGet();
          });
      test.start(FanOutFlow.ARCHIVE, "a", List.of("a", "bb", "ccc", "dddd", "eeeee"));
      assertThat(test.await("a", FanOutFlow.ARCHIVE)).isEmpty();
      assertThat(most).hasValue(3);
    }
  }

  @Test
  void shouldRunForYears() {
    FlowRuns.Body years =
        test -> {
          Set<String> bills = ConcurrentHashMap.newKeySet();
          test.fake(
              SubscriptionFlow.BILL,
              (work, subscription) -> {
                bills.add(work.key());
                return subscription.paid();
              });
          test.start(SubscriptionFlow.SUBSCRIPTION, "s", new Subscription("Ada", 0));
          test.advance(Duration.ofDays(130));
          test.raise("s", "stop", "too dear");
          assertThat(test.await("s", SubscriptionFlow.SUBSCRIPTION)).isEqualTo(4);
          assertThat(bills).hasSize(4);
        };
    everyWay(years, SubscriptionFlow.SUBSCRIPTION, SubscriptionFlow.BILL);
  }

  @Test
  void shouldPinVersions() {
    everyWay(
        test -> {
          test.start(VersionsFlow.LOAN, "old", "Ada");
          test.advance(Duration.ofDays(1));
          test.deploy(VersionsFlow.LOAN_2);
          test.start(VersionsFlow.LOAN_2, "new", "Ada");
          assertThat(test.await("old", VersionsFlow.LOAN)).isEqualTo("granted");
          assertThat(test.await("new", VersionsFlow.LOAN_2)).isEqualTo("granted by new rules");
        },
        VersionsFlow.LOAN,
        VersionsFlow.CHECK_INCOME,
        VersionsFlow.CHECK_DEBTS);
  }

  @Test
  void shouldPatch() {
    everyWay(
        test -> {
          AtomicInteger checks = new AtomicInteger();
          test.fake(
              VersionsFlow.CHECK_DEBTS,
              (work, who) -> {
                checks.incrementAndGet();
                return false;
              });
          test.start(VersionsFlow.LOAN, "old", "Ada");
          test.advance(Duration.ofDays(1));
          test.deploy(VersionsFlow.LOAN_PATCHED);
          assertThat(test.await("old", VersionsFlow.LOAN)).isEqualTo("granted");
          assertThat(checks).hasValue(0);
          test.start(VersionsFlow.LOAN, "new", "Ada");
          assertThat(test.await("new", VersionsFlow.LOAN)).isEqualTo("refused");
        },
        VersionsFlow.LOAN,
        VersionsFlow.CHECK_INCOME,
        VersionsFlow.CHECK_DEBTS);
  }

  @Test
  void shouldBlockAndGoOn() {
    everyWay(
        test -> {
          // given
          test.start(VersionsFlow.LOAN, "old", "Ada");
          test.advance(Duration.ofDays(1));
          // when
          test.deploy(VersionsFlow.LOAN_BROKEN);
          // then
          FlowInfo blocked = test.await("old", FlowStatus.BLOCKED);
          assertThat(blocked.reason())
              .contains("The code does not fit the history.")
              .contains("history: event 1 (call of activity 'check-income')")
              .contains("code:    call of activity 'check-debts'");
          // when
          // It goes on by itself: a worker looks which blocked flows its code fits.
          test.deploy(VersionsFlow.LOAN_PATCHED);
          // then
          assertThat(test.await("old", VersionsFlow.LOAN)).isEqualTo("granted");
        },
        VersionsFlow.LOAN,
        VersionsFlow.CHECK_INCOME,
        VersionsFlow.CHECK_DEBTS);
  }

  @Test
  void shouldRetryAFailedFlow() {
    everyWay(
        test -> {
          test.fake(
              OrderFlow.SHIP,
              (work, order) -> {
                throw new IllegalStateException("no van");
              });
          test.start(OrderFlow.ORDER, "o", new Order("Ada", 1));
          assertThat(test.awaitEnd("o").status()).isEqualTo(FlowStatus.FAILED);
          // Of an activity that was asked for twice, the other failure comes before the retry.
          test.advance(Duration.ofMinutes(1));
          test.fake(OrderFlow.SHIP, (work, order) -> "parcel");
          test.flows().admin().retry("o");
          test.advance(Duration.ofMinutes(1));
          assertThat(test.await("o", OrderFlow.ORDER)).isEqualTo("parcel");
        },
        OrderFlow.ORDER,
        OrderFlow.CHARGE,
        OrderFlow.SHIP);
  }
}
