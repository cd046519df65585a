package io.holdfast.server.http;

import io.holdfast.json.Field;
import io.holdfast.json.Fields;
import io.holdfast.json.JsonType;
import io.holdfast.json.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A route of the HTTP interface: how it is called, by whom, in whose name it asks the broker, what
 * it does, and how it is documented.
 *
 * <p>The list of all routes is the only place where they are named: requests are routed, checked,
 * audited, documented and tested from it.
 *
 * <p>Invariant: immutable; each method that declares something returns another route.
 */
public final class Route {
  /** The HTTP method. */
  public enum Method {
    GET,
    POST,
    DELETE
  }

  /** Answers a call. */
  @FunctionalInterface
  public interface Action {
    /**
     * Answers a call.
     *
     * @throws Problem if it cannot be answered as asked
     */
    Answer answer(Call call);
  }

  /** Answers a call without a thread of its own. */
  @FunctionalInterface
  public interface AsyncAction {
    /**
     * Begins to answer a call. It must not block: it may run on the thread that reads the
     * connections.
     *
     * @throws Problem if it cannot be answered as asked
     */
    AsyncAnswer<?> answer(Call call);
  }

  /**
   * An answer that is not an error of the general kind.
   *
   * @param schema null if it has no body
   */
  public record Outcome(int status, String when, @Nullable Schema schema) {}

  /** The declarations of a route while it is made. */
  private static final class Draft implements Cloneable {
    private final Method method;
    private final String path;
    private final Access access;
    private String topic;
    private String summary;
    private Action action;
    private @Nullable AsyncAction asyncAction;
    private boolean whole;
    private Fields params = Fields.NONE;
    private @Nullable Schema body;
    private boolean bodyOptional;
    private List<Outcome> answers = List.of();
    private Auditing audit = Auditing.NONE;
    private Set<Authority> authorities = Set.of(Authority.CALLER);
    private @Nullable String upgrade;
    private @Nullable Function<Problem, Answer> problems;
    private boolean tolerant;
    private boolean keyed;
    private String example = "";

    Draft(Method method, String path, Access access, String topic, String summary, Action action) {
      this.method = method;
      this.path = path;
      this.access = access;
      this.topic = topic;
      this.summary = summary;
      this.action = action;
    }

    Draft copy() {
      try {
        return (Draft) clone();
      } catch (CloneNotSupportedException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  /** Stands for the action of a route that has none yet. */
  private static final Action NO_ACTION =
      call -> {
        throw new IllegalStateException("a route without an action was called");
      };

  private final Draft is;

  private Route(Draft is) {
    this.is = is;
  }

  private Route with(Consumer<Draft> change) {
    Draft draft = is.copy();
    change.accept(draft);
    return new Route(draft);
  }

  /**
   * A route that reads; the names of parts of its path are in braces. Its summary, action and
   * answers are declared behind it, its topic with {@link #about}.
   */
  public static Route get(String path) {
    return get(path, Access.READ);
  }

  public static Route get(String path, Access access) {
    return get(path, access, "", "", NO_ACTION);
  }

  public static Route post(String path, Access access) {
    return post(path, access, "", "", NO_ACTION);
  }

  public static Route delete(String path, Access access) {
    return delete(path, access, "", "", NO_ACTION);
  }

  /**
   * The routes of a topic.
   *
   * @throws IllegalArgumentException if one has no summary or action
   */
  public static List<Route> about(String topic, Route... routes) {
    return Arrays.stream(routes)
        .map(route -> route.with(draft -> draft.topic = topic))
        .peek(Route::checkDeclared)
        .toList();
  }

  private void checkDeclared() {
    if (is.summary.isEmpty() || is.action.equals(NO_ACTION)) {
      throw new IllegalArgumentException("a route has no summary or no action: " + this);
    }
  }

  /** Declares what it does, in one line. */
  public Route summary(String text) {
    return with(draft -> draft.summary = text);
  }

  /** A route that reads; the names of parts of its path are in braces. */
  public static Route get(String path, Access access, String topic, String summary, Action action) {
    return new Route(new Draft(Method.GET, path, access, topic, summary, action));
  }

  public static Route post(
      String path, Access access, String topic, String summary, Action action) {
    return new Route(new Draft(Method.POST, path, access, topic, summary, action));
  }

  public static Route delete(
      String path, Access access, String topic, String summary, Action action) {
    return new Route(new Draft(Method.DELETE, path, access, topic, summary, action));
  }

  /** A route whose calls are answered without a thread of their own. */
  public static Route async(
      Method method, String path, Access access, String topic, String summary, AsyncAction action) {
    Draft draft =
        new Draft(method, path, access, topic, summary, call -> action.answer(call).get());
    draft.asyncAction = action;
    return new Route(draft);
  }

  /**
   * Declares the query or the JSON body of an example, where one with only the required parameters
   * or fields would be refused.
   */
  public Route example(String text) {
    return with(draft -> draft.example = text);
  }

  /** Declares that it is about the broker as a whole: a token for some queues is not enough. */
  public Route forWholeBroker() {
    return with(draft -> draft.whole = true);
  }

  /** Declares in whose names it asks the broker; {@link Authority#CALLER} if it declares none. */
  public Route asking(Authority first, Authority... more) {
    return with(draft -> draft.authorities = EnumSet.of(first, more));
  }

  /**
   * Declares that each call is an act of an operator: the server writes a line of the audit log.
   */
  public Route audited(String act) {
    return audited(act, "id");
  }

  /**
   * The same.
   *
   * @param subject what the part {@code id} of the path identifies, such as a job
   */
  public Route audited(String act, String subject) {
    return audit(new Auditing(Auditing.Lines.EACH_CALL, List.of(act), subject));
  }

  /** The same, but the broker or the action writes the line, because it knows more of the act. */
  public Route auditedInside(String... acts) {
    return audit(new Auditing(Auditing.Lines.INSIDE, List.of(acts), "id"));
  }

  /**
   * Declares that calls are the normal work of clients, which is not audited.
   *
   * @param acts acts that a call may contain, such as a kill: these are audited
   */
  public Route traffic(String... acts) {
    return audit(new Auditing(Auditing.Lines.TRAFFIC, List.of(acts), "id"));
  }

  private Route audit(Auditing audit) {
    return with(draft -> draft.audit = audit);
  }

  /**
   * Declares that a connection speaks another protocol after a GET of this with the headers {@code
   * Upgrade} and {@code Connection}. Without them the action answers.
   */
  public Route upgradingTo(String protocol) {
    return with(draft -> draft.upgrade = protocol);
  }

  /**
   * Declares that unknown parameters and fields are ignored, as Queen does, for its clients of all
   * versions. Ignored names are counted, logged, and listed in the header {@code Holdfast-Ignored}.
   * A name that is probably a typing error of a known one is still refused.
   */
  public Route ignoringUnknown() {
    return with(draft -> draft.tolerant = true);
  }

  /** Declares that the broker keeps the answers for repeats with {@code Idempotency-Key}. */
  public Route keyedByBroker() {
    return with(draft -> draft.keyed = true);
  }

  /** Declares an error body of its own. */
  public Route problemsAs(Function<Problem, Answer> problems) {
    return with(draft -> draft.problems = problems);
  }

  /** The same with another action, and no asynchronous one. */
  public Route doing(Action other) {
    return with(
        draft -> {
          draft.action = other;
          draft.asyncAction = null;
        });
  }

  /** Declares the parameters of its query. */
  public Route query(Field<?>... params) {
    return with(draft -> draft.params = Fields.of(params));
  }

  /** Declares the parameters of its query. */
  public Route query(Fields params) {
    return with(draft -> draft.params = params);
  }

  public Route body(Schema schema) {
    return with(draft -> draft.body = schema);
  }

  /** Declares the body of its requests. */
  public Route body(JsonType<?> type) {
    return body(type.schema());
  }

  public Route bodyIfAny(Schema schema) {
    return body(schema).with(draft -> draft.bodyOptional = true);
  }

  /** Declares a body that may be absent. */
  public Route bodyIfAny(JsonType<?> type) {
    return bodyIfAny(type.schema());
  }

  /** Declares the action by the value that it answers, and that answer. */
  public <T> Route answers(String when, JsonType<T> type, Function<Call, ? extends T> value) {
    return doing(call -> Answer.ok(type, value.apply(call))).answers(200, when, type);
  }

  /** Declares an action without a thread of its own, and its answer. */
  public Route answersAsync(int status, String when, JsonType<?> type, AsyncAction action) {
    return with(draft -> {
          draft.action = call -> action.answer(call).get();
          draft.asyncAction = action;
        })
        .answers(status, when, type);
  }

  public Route answers(int status, String when, @Nullable Schema schema) {
    List<Outcome> more = new ArrayList<>(is.answers);
    more.add(new Outcome(status, when, schema));
    return with(draft -> draft.answers = List.copyOf(more));
  }

  /** Declares an answer with a JSON body. */
  public Route answers(int status, String when, JsonType<?> type) {
    return answers(status, when, type.schema());
  }

  /** Declares an answer without a body. */
  public Route answers(int status, String when) {
    return answers(status, when, (Schema) null);
  }

  /** Whether it changes nothing, however often it is called. */
  public boolean onlyLooks() {
    return switch (is.access) {
      // Signing in makes a session, which is nobody's loss.
      case PUBLIC, KNOWN, READ -> true;
      case PUSH, CHANGE, CONSUME -> false;
      case ADMIN -> is.method == Method.GET;
    };
  }

  public Method method() {
    return is.method;
  }

  public String path() {
    return is.path;
  }

  public Access access() {
    return is.access;
  }

  public boolean whole() {
    return is.whole;
  }

  public String topic() {
    return is.topic;
  }

  public String summary() {
    return is.summary;
  }

  /** The parameters of its query. */
  public Fields params() {
    return is.params;
  }

  /** The form of the body of its requests; null if they have none. */
  public @Nullable Schema body() {
    return is.body;
  }

  public boolean bodyOptional() {
    return is.bodyOptional;
  }

  /** The answers besides errors of the general kind, by status. */
  public List<Outcome> answers() {
    return is.answers;
  }

  /** The query or the JSON body of an example; empty to make it of what is required. */
  public String example() {
    return is.example;
  }

  public Auditing audit() {
    return is.audit;
  }

  public Set<Authority> authorities() {
    return is.authorities;
  }

  public Action action() {
    return is.action;
  }

  /** Answers without a thread of its own; null if it cannot. */
  public @Nullable AsyncAction asyncAction() {
    return is.asyncAction;
  }

  /** The protocol that a connection speaks after an upgrade; null if it stays HTTP. */
  public @Nullable String upgrade() {
    return is.upgrade;
  }

  /** Whether unknown parameters and fields are ignored instead of refused. */
  public boolean tolerant() {
    return is.tolerant;
  }

  /** Whether the broker keeps the answers for repeats with {@code Idempotency-Key}. */
  boolean keyed() {
    return is.keyed;
  }

  /** The answer to a call that failed. */
  Answer problem(Problem problem, RequestId id) {
    if (is.problems != null) {
      return is.problems.apply(problem).header(RequestId.HEADER, id.toString());
    }
    Answer answer = problem.answer(id);
    // Clients of Queen read a body as JSON only if its type says that it is.
    return is.tolerant ? answer.type(Answer.JSON) : answer;
  }

  @Override
  public String toString() {
    return is.method + " " + is.path;
  }
}
