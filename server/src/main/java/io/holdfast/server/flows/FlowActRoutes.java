package io.holdfast.server.flows;

import io.holdfast.server.access.Audit;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import io.holdfast.workflow.admin.FlowAdmin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Starting flows, telling them something, and making them stop or go on. */
public final class FlowActRoutes {
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
  private static final String NO_REASON = "asked for over HTTP";

  private static final Shape DONE =
      Shape.fields(Shape.required("id", Shape.TEXT, "The flow that was told."));
  private static final Shape REASON =
      Shape.fields(Shape.optional("reason", Shape.TEXT, "Why, for its history."));

  private final FlowAdmin admin;

  public FlowActRoutes(FlowAdmin admin) {
    this.admin = admin;
  }

  public List<Route> routes() {
    return List.of(
        post("", Access.PUSH, "Start a flow; a repeat changes nothing", this::start)
            .audited("flow-start", "flow")
            .body(
                Shape.fields(
                    Shape.required("id", Shape.TEXT, "Its id."),
                    Shape.required("name", Shape.TEXT, "What its code is called."),
                    Shape.optional(
                        "version", Shape.TEXT, "Of its code; else the newest of its worker."),
                    Shape.optional("input", Shape.ANY, "What it is given; else null.")))
            .answers(
                200,
                "it is started, or was before",
                Shape.fields(
                    Shape.required("id", Shape.TEXT, "Its id."),
                    Shape.required("started", Shape.FLAG, "Whether it is new."))),
        post("/{id}/raise", Access.PUSH, "Raise an event, also before the start", this::raise)
            .audited("flow-raise", "flow")
            .body(
                Shape.fields(
                    Shape.required("name", Shape.TEXT, "What the event is called."),
                    Shape.optional("data", Shape.ANY, "What it brings; else null."),
                    Shape.optional("eventId", Shape.TEXT, "Makes a repeat harmless.")))
            .answers(200, "it is on its way", DONE),
        post("/{id}/cancel", Access.CONSUME, "Ask a flow to end", reasoned(admin::cancel))
            .audited("flow-cancel", "flow")
            .bodyIfAny(REASON)
            .answers(200, "it is told", DONE),
        post(
                "/{id}/terminate",
                Access.CONSUME,
                "End a flow without its code",
                reasoned(admin::terminate))
            .audited("flow-terminate", "flow")
            .bodyIfAny(REASON)
            .answers(200, "it is told", DONE),
        post(
                "/{id}/suspend",
                Access.CONSUME,
                "Make a flow stop for now; what comes is kept",
                reasoned(admin::suspend))
            .audited("flow-suspend", "flow")
            .bodyIfAny(REASON)
            .answers(200, "it is told", DONE),
        post("/{id}/resume", Access.CONSUME, "Let a suspended flow go on", this::resume)
            .audited("flow-resume", "flow")
            .answers(200, "it is told", DONE),
        post(
                "/{id}/retry",
                Access.CONSUME,
                "Let a blocked flow go on, or a failed one from its failure",
                this::retry)
            .audited("flow-retry", "flow")
            .bodyIfAny(
                Shape.fields(
                    Shape.optional(
                        "from",
                        Shape.WHOLE,
                        "The event that is to happen again, of a failed one.")))
            .answers(200, "it is told", DONE));
  }

  private static Route post(String path, Access access, String summary, Route.Action action) {
    return Route.post(
        "/api/v1/flows" + path, access, FlowRoutes.TOPIC, summary, FlowAnswers.telling(action));
  }

  private static Answer done(Call call) {
    return Answer.ok(new JsonOut().beginObject().put("id", call.part("id")).endObject());
  }

  /** A start as it came. */
  private record Wish(String id, String name, @Nullable String version, byte[] input) {}

  private Answer start(Call call) {
    Wish wish = call.json(FlowActRoutes::wish);
    Audit.detail("flow", wish.id());
    boolean started = admin.start(wish.name(), wish.version(), wish.id(), wish.input());
    return Answer.ok(
        new JsonOut().beginObject().put("id", wish.id()).put("started", started).endObject());
  }

  private static Wish wish(JsonIn in) {
    String id = null;
    String name = null;
    String version = null;
    byte[] input = NULL;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "id" -> id = in.text();
        case "name" -> name = in.text();
        case "version" -> version = in.textOrNull();
        case "input" -> input = in.payload();
        default -> throw in.unknown("id", "name", "version", "input");
      }
    }
    if (id == null) {
      throw Problem.required("id", "id: expected the id of the new flow, but there is none");
    }
    if (name == null) {
      throw Problem.required("name", "name: expected what the flow is called, but there is none");
    }
    return new Wish(id, name, version, input);
  }

  /** An event as it came. */
  private record Raised(String name, byte[] data, @Nullable String eventId) {}

  private Answer raise(Call call) {
    Raised event = call.json(FlowActRoutes::raised);
    Audit.detail("event", event.name());
    admin.raise(call.part("id"), event.name(), event.data(), event.eventId());
    return done(call);
  }

  private static Raised raised(JsonIn in) {
    String name = null;
    byte[] data = NULL;
    String eventId = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "name" -> name = in.text();
        case "data" -> data = in.payload();
        case "eventId" -> eventId = in.textOrNull();
        default -> throw in.unknown("name", "data", "eventId");
      }
    }
    if (name == null) {
      throw Problem.required("name", "name: expected what the event is called, but there is none");
    }
    return new Raised(name, data, eventId);
  }

  private static Route.Action reasoned(BiConsumer<String, String> act) {
    return call -> {
      String reason = call.hasBody() ? call.json(FlowActRoutes::reason) : NO_REASON;
      act.accept(call.part("id"), reason);
      return done(call);
    };
  }

  private static String reason(JsonIn in) {
    String reason = NO_REASON;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      if (!field.equals("reason")) {
        throw in.unknown("reason");
      }
      reason = in.text();
    }
    return reason;
  }

  private Answer resume(Call call) {
    admin.resume(call.part("id"));
    return done(call);
  }

  private Answer retry(Call call) {
    long from = call.hasBody() ? call.json(FlowActRoutes::from) : -1;
    admin.retry(call.part("id"), from);
    return done(call);
  }

  private static long from(JsonIn in) {
    long from = -1;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      if (!field.equals("from")) {
        throw in.unknown("from");
      }
      from = in.number(1, Long.MAX_VALUE);
    }
    return from;
  }
}
