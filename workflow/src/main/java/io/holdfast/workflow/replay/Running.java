package io.holdfast.workflow.replay;

import io.holdfast.workflow.Activity;
import io.holdfast.workflow.Failure;
import io.holdfast.workflow.Flow;
import io.holdfast.workflow.Names;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Retry;
import io.holdfast.workflow.Task;
import io.holdfast.workflow.TaskFailed;
import io.holdfast.workflow.TypeRef;
import io.holdfast.workflow.history.Event;
import io.holdfast.workflow.history.ExecutionId;
import io.holdfast.workflow.history.History;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;

/**
 * The face that an execution shows to its code: each call is an event.
 *
 * <p>Thread: the flow's own.
 */
final class Running implements Flow {
  private static final Logger LOG = LoggerFactory.getLogger(Flow.class);

  private final ExecutionId id;
  private final Context context;
  private final Map<String, Boolean> patches = new HashMap<>();
  private @Nullable RandomGenerator random;
  private long uuids;
  private Event.@Nullable ContinuedAsNew next;

  Running(ExecutionId id, Context context) {
    this.id = id;
    this.context = context;
  }

  /** What the code asked for with continueAsNew; null for nothing. */
  Event.@Nullable ContinuedAsNew next() {
    return next;
  }

  @Override
  public String id() {
    return id.flow();
  }

  @Override
  public long execution() {
    return id.number();
  }

  @Override
  public <I, O> Task<O> call(Activity<I, O> activity, I input, Retry retry) {
    context.check();
    byte[] given = context.encoded("input", input);
    return context.begin(
        new Event.CallScheduled(
            context.tape.stampMs(), activity.name(), activity.tag(), given, retry),
        before ->
            before instanceof Event.CallScheduled e
                && e.activity().equals(activity.name())
                && e.tag().equals(activity.tag()),
        activity.outputType());
  }

  @Override
  public <T> T run(String step, Class<T> type, Callable<T> code) {
    return step(step, type, code);
  }

  @Override
  public <T> T run(String step, TypeRef<T> type, Callable<T> code) {
    return step(step, type.type(), code);
  }

  @Override
  public void run(String step, Step code) {
    step(
        step,
        Void.class,
        () -> {
          code.run();
          return null;
        });
  }

  @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
  private <T> T step(String step, Type type, Callable<? extends @Nullable Object> code) {
    context.check();
    Names.checked("step", step);
    History.Entry before = context.tape.peek();
    if (before == null) {
      context.beyondHistory();
      if (context.tape.fresh().stream().anyMatch(Event.StepDone.class::isInstance)) {
        // What an earlier step did must be known for sure before the world sees this one.
        context.store();
      }
      context.confirm();
      before = context.record(done(step, code), event -> false);
    } else if (before.event() instanceof Event.StepDone e && e.step().equals(step)) {
      context.tape.pass();
    } else {
      context.differs(before, "step '" + step + "'");
    }
    Event.StepDone done = (Event.StepDone) before.event();
    if (done.failure() != null) {
      throw new TaskFailed(done.failure(), before.number());
    }
    byte[] result = done.result();
    return result == null ? null : (T) context.decoded(result, type, before.number());
  }

  private Event.StepDone done(String step, Callable<? extends @Nullable Object> code) {
    context.step(true);
    byte[] result = null;
    Failure failure = null;
    try {
      result = context.encoded("result of step " + step, code.call());
    } catch (Exception | AssertionError | StackOverflowError thrown) {
      failure = Failure.of(thrown);
    } finally {
      context.step(false);
    }
    return new Event.StepDone(context.tape.stampMs(), step, result, failure);
  }

  @Override
  public <I, O> Task<O> sub(Orchestration<I, O> flow, I input) {
    return started(flow, null, input);
  }

  @Override
  public <I, O> Task<O> sub(Orchestration<I, O> flow, String other, I input) {
    return started(flow, Names.checkedId(other), input);
  }

  private <I, O> Task<O> started(Orchestration<I, O> flow, @Nullable String chosen, I input) {
    context.check();
    byte[] bytes = context.encoded("input", input);
    return context.beginNumbered(
        number ->
            new Event.SubStarted(
                context.tape.stampMs(),
                flow.name(),
                flow.version(),
                chosen == null ? subId(number) : chosen,
                bytes),
        before ->
            before instanceof Event.SubStarted e
                && e.name().equals(flow.name())
                && (chosen == null || e.flow().equals(chosen)),
        flow.outputType());
  }

  /** An id that no other sub-flow has, of this execution or another one. */
  private String subId(long number) {
    String whole = id.flow() + "." + id.number() + "." + number;
    return whole.length() <= Names.ID_CHARS_MAX
        ? whole
        : "sub-" + UUID.nameUUIDFromBytes(whole.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public <I, O> void start(Orchestration<I, O> flow, String other, I input) {
    context.check();
    byte[] bytes = context.encoded("input", input);
    Names.checkedId(other);
    context.record(
        new Event.Launched(context.tape.stampMs(), flow.name(), flow.version(), other, bytes),
        before ->
            before instanceof Event.Launched e
                && e.name().equals(flow.name())
                && e.flow().equals(other));
  }

  @Override
  public Task<Void> timer(Duration time) {
    context.check();
    return context.newTimer(time);
  }

  @Override
  public <T> Task<T> event(String name, Class<T> type) {
    return signal(name, type);
  }

  @Override
  public <T> Task<T> event(String name, TypeRef<T> type) {
    return signal(name, type.type());
  }

  private <T> Task<T> signal(String name, Type type) {
    context.check();
    Names.checked("name", name);
    Leaf<T> task =
        context.begin(
            new Event.EventAwaited(context.tape.stampMs(), name),
            before -> before instanceof Event.EventAwaited e && e.name().equals(name),
            type);
    context.signals.await(name, task);
    context.begun(task);
    return task;
  }

  @Override
  public <T> Task<List<T>> all(List<? extends Task<? extends T>> tasks) {
    context.check();
    return new Derived.All<>(context, own(tasks));
  }

  @Override
  public <T> Task<Task<T>> any(List<? extends Task<? extends T>> tasks) {
    context.check();
    return new Derived.Any<>(context, own(tasks));
  }

  private <T> List<FlowTask<? extends T>> own(List<? extends Task<? extends T>> tasks) {
    return tasks.stream().<FlowTask<? extends T>>map(this::own).toList();
  }

  private <T> FlowTask<? extends T> own(Task<? extends T> task) {
    if (task instanceof FlowTask<? extends T> mine && mine.context == context) {
      return mine;
    }
    throw new IllegalArgumentException("tasks: expected tasks of this flow, but got " + task);
  }

  @Override
  public void status(@Nullable String status) {
    context.check();
    context.record(new Event.StatusSet(context.tape.stampMs(), status), before -> true);
  }

  @Override
  public Instant now() {
    context.check();
    return Instant.ofEpochMilli(context.tape.nowMs());
  }

  @Override
  public UUID uuid() {
    context.check();
    return uuid(String.valueOf(uuids++));
  }

  /** Different for each execution of each incarnation, and the same on a replay. */
  private UUID uuid(String purpose) {
    return UUID.nameUUIDFromBytes((id + "/" + purpose).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public RandomGenerator random() {
    context.check();
    RandomGenerator mine = random;
    if (mine == null) {
      mine = new SplittableRandom(uuid("random").getMostSignificantBits());
      random = mine;
    }
    return mine;
  }

  @Override
  public boolean patched(String change) {
    context.check();
    Names.checked("change", change);
    return patches.computeIfAbsent(change, this::goesNewWay);
  }

  private boolean goesNewWay(String change) {
    History.Entry before = context.tape.peek();
    if (before == null) {
      context.record(new Event.Patched(context.tape.stampMs(), change), event -> true);
      return true;
    }
    if (before.event() instanceof Event.Patched e && e.change().equals(change)) {
      context.tape.pass();
      return true;
    }
    return false;
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals")
  public <I, O> O continueAsNew(I input) {
    return goOn(input, false);
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals")
  public <I, O> O continueAsNewest(I input) {
    return goOn(input, true);
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private <O> O goOn(@Nullable Object input, boolean newest) {
    context.check();
    byte[] bytes = context.encoded("input", input);
    next = new Event.ContinuedAsNew(context.tape.stampMs(), bytes, newest);
    context.over();
    return null;
  }

  @Override
  public boolean isCancelled() {
    return context.isCancelled();
  }

  @Override
  public boolean isReplaying() {
    return context.tape.isReplaying();
  }

  @Override
  public long historySize() {
    return context.tape.told();
  }

  @Override
  public Logger log() {
    return isReplaying() ? NOPLogger.NOP_LOGGER : LOG;
  }
}
