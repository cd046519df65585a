package io.holdfast.workflow.guide;

import io.holdfast.workflow.Activity;
import io.holdfast.workflow.FlowCancelled;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Retry;
import io.holdfast.workflow.TaskFailed;
import java.util.ArrayDeque;
import java.util.Deque;

/** A saga: what was done is undone if the whole does not come about. */
final class TripSaga {
  record Trip(String traveller, String city) {}

  static final Activity<String, String> BOOK_HOTEL =
      Activity.named("book-hotel", String.class, String.class, trip -> "hotel for " + trip);
  static final Activity<String, String> CANCEL_HOTEL =
      Activity.named("cancel-hotel", String.class, String.class, trip -> "no hotel for " + trip);
  static final Activity<String, String> BOOK_FLIGHT =
      Activity.named("book-flight", String.class, String.class, trip -> "flight for " + trip);
  static final Activity<String, String> CANCEL_FLIGHT =
      Activity.named("cancel-flight", String.class, String.class, trip -> "no flight for " + trip);

  /** What has to be undone is undone, however long that takes. */
  private static final Retry ALWAYS = Retry.times(1_000);

  static final Orchestration<Trip, String> TRIP =
      Orchestration.named(
          "trip",
          Trip.class,
          String.class,
          (flow, trip) -> {
            Deque<Runnable> undo = new ArrayDeque<>();
            try {
              undo.push(() -> flow.call(CANCEL_HOTEL, flow.id(), ALWAYS).await());
              String hotel = flow.call(BOOK_HOTEL, flow.id(), Retry.times(3)).await();
              undo.push(() -> flow.call(CANCEL_FLIGHT, flow.id(), ALWAYS).await());
              String flight = flow.call(BOOK_FLIGHT, flow.id(), Retry.times(3)).await();
              return hotel + " and " + flight + " to " + trip.city();
            } catch (TaskFailed | FlowCancelled failure) {
              undo.forEach(Runnable::run);
              throw failure;
            }
          });

  private TripSaga() {}
}
