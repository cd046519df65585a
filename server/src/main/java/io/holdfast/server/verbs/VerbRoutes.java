package io.holdfast.server.verbs;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Broker;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.commit.RecordRequest;
import io.holdfast.api.lease.ExtendRequest;
import io.holdfast.api.lease.Extended;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import io.holdfast.json.Schema;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.AsyncAnswer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.messages.Pops;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A route for each verb of the broker. */
public final class VerbRoutes {
  private static final String TOPIC = "Verbs";
  private static final Schema BODY = Schema.document(Verbs.CONTENT_TYPE);

  private static final Map<Access, Set<Verb<?, ?>>> ACCESS =
      Map.of(
          Access.PUSH,
          Set.of(Verbs.PUSH),
          Access.CHANGE,
          Set.of(Verbs.COMMIT, Verbs.OPEN_SESSION),
          Access.CONSUME,
          Set.of(
              Verbs.POP,
              Verbs.SETTLE,
              Verbs.EXTEND,
              Verbs.START,
              Verbs.CANCEL,
              Verbs.RESCHEDULE,
              Verbs.REQUEUE,
              Verbs.CONFIGURE),
          Access.READ,
          Set.of(
              Verbs.LEASE,
              Verbs.QUEUES,
              Verbs.QUEUE,
              Verbs.LOADS,
              Verbs.LEASES,
              Verbs.PARTITIONS,
              Verbs.BROWSE,
              Verbs.MESSAGE,
              Verbs.DEAD_LETTERS,
              Verbs.DEAD_ERRORS,
              Verbs.GROUPS,
              Verbs.TASK,
              Verbs.TASKS,
              Verbs.JOURNAL,
              Verbs.RECORD,
              Verbs.RECORDS,
              Verbs.STATS),
          Access.ADMIN,
          Set.of(
              Verbs.REMOVE_DEAD_LETTERS,
              Verbs.SEEK,
              Verbs.SUBSCRIBE_FROM,
              Verbs.DELETE_GROUP,
              Verbs.PURGE,
              Verbs.DELETE_QUEUE,
              Verbs.PAUSE));

  /** The verbs of normal clients, and the acts that a request may contain. */
  private static final Map<Verb<?, ?>, List<String>> TRAFFIC =
      Map.of(
          Verbs.PUSH,
          List.of(),
          Verbs.COMMIT,
          List.of("kill", "cancel", "remove-dead-letters", "settle-lease"),
          Verbs.POP,
          List.of("kill", "settle-lease"),
          Verbs.SETTLE,
          List.of("kill", "settle-lease"),
          Verbs.EXTEND,
          List.of(),
          Verbs.START,
          List.of(),
          Verbs.OPEN_SESSION,
          List.of());

  private final Broker broker;

  public VerbRoutes(Broker broker) {
    this.broker = broker;
  }

  /** The routes by their verbs. */
  public Map<Verb<?, ?>, Route> byVerb() {
    Map<Verb<?, ?>, Route> routes = new LinkedHashMap<>();
    for (Verb<?, ?> verb : Verbs.ALL) {
      routes.put(verb, route(verb));
    }
    return routes;
  }

  private Route route(Verb<?, ?> verb) {
    String path = Verbs.PATH + verb.name();
    String summary = "Ask " + verb.requestName() + ", answered " + verb.answerName();
    Route route =
        verb.isAsync()
            ? Route.async(Route.Method.POST, path, access(verb), TOPIC, summary, asyncAction(verb))
            : Route.post(path, access(verb), TOPIC, summary, action(verb));
    Route audited = audited(verb, route.body(BODY).answers(200, "the verb was not refused", BODY));
    return verb == Verbs.STATS ? audited.forWholeBroker() : audited;
  }

  private Route.Action action(Verb<?, ?> verb) {
    return verb == Verbs.RECORD ? this::record : call -> answer(verb, call);
  }

  private Route.AsyncAction asyncAction(Verb<?, ?> verb) {
    if (verb == Verbs.POP) {
      return this::pop;
    }
    return verb == Verbs.EXTEND ? this::extend : call -> answerAsync(verb, call);
  }

  /** The audit log calls an act by the name of its verb. */
  private static Route audited(Verb<?, ?> verb, Route route) {
    List<String> contained = TRAFFIC.get(verb);
    if (contained != null) {
      return route.traffic(contained.toArray(String[]::new));
    }
    if (route.onlyLooks()) {
      return route;
    }
    return verb == Verbs.PAUSE
        ? route.auditedInside("pause", "resume")
        : route.auditedInside(verb.name());
  }

  private static Access access(Verb<?, ?> verb) {
    return ACCESS.entrySet().stream()
        .filter(one -> one.getValue().contains(verb))
        .findAny()
        .orElseThrow(() -> new IllegalStateException("nobody is said to be allowed to " + verb))
        .getKey();
  }

  private <I, O> Answer answer(Verb<I, O> verb, Call call) {
    return answer(verb, verb.ask(broker, verb.request(call.body())));
  }

  private <I, O> AsyncAnswer<O> answerAsync(Verb<I, O> verb, Call call) {
    return new AsyncAnswer<>(
        verb.askAsync(broker, verb.request(call.body())), result -> answer(verb, result));
  }

  private static <O> Answer answer(Verb<?, O> verb, Result<O> result) {
    return switch (result) {
      case Result.Ok<O> ok -> Answer.text(Verbs.CONTENT_TYPE, verb.answerBytes(ok.value()));
      case Result.Refused<O> refused -> refused(refused.why());
    };
  }

  /** The status is the one that JSON gets, and tells a proxy the same; the body is ours. */
  private static Answer refused(Refusal why) {
    Problem told = Problem.refused(why);
    return Answer.of(told.status(), Verbs.CONTENT_TYPE, Verbs.refusalBytes(why), told.headers());
  }

  private AsyncAnswer<Popped> pop(Call call) {
    PopRequest request = Verbs.POP.request(call.body());
    return new AsyncAnswer<>(Pops.pop(call, request), result -> answer(request, result));
  }

  private Answer answer(PopRequest request, Result<Popped> result) {
    Answer answer = answer(Verbs.POP, result);
    return result instanceof Result.Ok<Popped> ok
        ? Pops.returning(broker, request, ok.value(), answer)
        : answer;
  }

  private AsyncAnswer<Extended> extend(Call call) {
    ExtendRequest request = Verbs.EXTEND.request(call.body());
    AsyncResult<Extended> asked = broker.extendAsync(request);
    return new AsyncAnswer<>(
        request.waitMs() == 0 ? asked : call.whileConnected(asked),
        result -> answer(Verbs.EXTEND, result));
  }

  private Answer record(Call call) {
    RecordRequest request = Verbs.RECORD.request(call.body());
    return answer(
        Verbs.RECORD,
        request.waitMs() == 0
            ? broker.record(request)
            : call.whileConnected(() -> broker.record(request)));
  }
}
