package io.holdfast.server.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing a client may ask for: how it is asked, who may, what it does, and what it says of
 * itself.
 *
 * <p>The list of all routes is the only place where they are named: it is served, checked for
 * access, described and tested from there.
 *
 * @param path with the names of its parts in braces
 * @param whole whether it is about the broker as a whole, so that a token for some queues is not
 *     enough
 * @param params the parameters its query may have
 * @param body what its body looks like; null if it has none
 * @param bodyOptional whether the body may be left out
 * @param answers what it answers besides problems, by status
 * @param audit what the audit log has of it
 * @param asyncAction answers calls without a thread of their own; null if it cannot
 * @param upgrade the protocol that a connection speaks after this; null if it stays HTTP
 */
public record Route(
    Method method,
    String path,
    Access access,
    boolean whole,
    String topic,
    String summary,
    List<Param> params,
    @Nullable Shape body,
    boolean bodyOptional,
    List<Outcome> answers,
    Auditing audit,
    Action action,
    @Nullable AsyncAction asyncAction,
    @Nullable String upgrade) {
  /** How it is asked. */
  public enum Method {
    GET,
    POST,
    DELETE
  }

  /** What a route does. */
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
   * @param shape null if there is no body to describe
   */
  public record Outcome(int status, String when, @Nullable Shape shape) {}

  public static Route get(String path, Access access, String topic, String summary, Action action) {
    return of(Method.GET, path, access, topic, summary, action);
  }

  public static Route post(
      String path, Access access, String topic, String summary, Action action) {
    return of(Method.POST, path, access, topic, summary, action);
  }

  public static Route delete(
      String path, Access access, String topic, String summary, Action action) {
    return of(Method.DELETE, path, access, topic, summary, action);
  }

  /** A route whose calls are answered without a thread of their own. */
  public static Route async(
      Method method, String path, Access access, String topic, String summary, AsyncAction action) {
    return of(method, path, access, topic, summary, call -> action.answer(call).get())
        .async(action);
  }

  private static Route of(
      Method method, String path, Access access, String topic, String summary, Action action) {
    return new Route(
        method,
        path,
        access,
        false,
        topic,
        summary,
        List.of(),
        null,
        false,
        List.of(),
        Auditing.NONE,
        action,
        null,
        null);
  }

  /** Says that it is about the broker as a whole. */
  public Route forWholeBroker() {
    return new Route(
        method,
        path,
        access,
        true,
        topic,
        summary,
        params,
        body,
        bodyOptional,
        answers,
        audit,
        action,
        asyncAction,
        upgrade);
  }

  /** Says that each call is an act of an operator: the server writes a line of the audit log. */
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
   * Says that calls are the normal work of clients, which is not audited.
   *
   * @param acts acts that a call may contain, such as a kill: these are audited
   */
  public Route traffic(String... acts) {
    return audit(new Auditing(Auditing.Lines.TRAFFIC, List.of(acts), "id"));
  }

  private Route audit(Auditing other) {
    return new Route(
        method,
        path,
        access,
        whole,
        topic,
        summary,
        params,
        body,
        bodyOptional,
        answers,
        other,
        action,
        asyncAction,
        upgrade);
  }

  private Route async(AsyncAction other) {
    return new Route(
        method,
        path,
        access,
        whole,
        topic,
        summary,
        params,
        body,
        bodyOptional,
        answers,
        audit,
        action,
        other,
        upgrade);
  }

  /**
   * Says that a connection speaks another protocol after a GET of this with the headers {@code
   * Upgrade} and {@code Connection}. Without them the action answers.
   */
  public Route upgradingTo(String protocol) {
    return new Route(
        method,
        path,
        access,
        whole,
        topic,
        summary,
        params,
        body,
        bodyOptional,
        answers,
        audit,
        action,
        asyncAction,
        protocol);
  }

  /** The same with another action, and no asynchronous one. */
  public Route doing(Action other) {
    return new Route(
        method,
        path,
        access,
        whole,
        topic,
        summary,
        params,
        body,
        bodyOptional,
        answers,
        audit,
        other,
        null,
        upgrade);
  }

  /** Whether it changes nothing, however it is asked and as often as one likes. */
  public boolean onlyLooks() {
    return switch (access) {
      // Signing in makes a session, which is nobody's loss.
      case PUBLIC, KNOWN, READ -> true;
      case PUSH, CHANGE, CONSUME -> false;
      case ADMIN -> method == Method.GET;
    };
  }

  public Route query(Param... more) {
    return new Route(
        method,
        path,
        access,
        whole,
        topic,
        summary,
        List.of(more),
        body,
        bodyOptional,
        answers,
        audit,
        action,
        asyncAction,
        upgrade);
  }

  public Route body(Shape shape) {
    return new Route(
        method,
        path,
        access,
        whole,
        topic,
        summary,
        params,
        shape,
        false,
        answers,
        audit,
        action,
        asyncAction,
        upgrade);
  }

  /** Says that it may have a body, and may have none. */
  public Route bodyIfAny(Shape shape) {
    return new Route(
        method,
        path,
        access,
        whole,
        topic,
        summary,
        params,
        shape,
        true,
        answers,
        audit,
        action,
        asyncAction,
        upgrade);
  }

  public Route answers(int status, String when, @Nullable Shape shape) {
    List<Outcome> more = new ArrayList<>(answers);
    more.add(new Outcome(status, when, shape));
    return new Route(
        method,
        path,
        access,
        whole,
        topic,
        summary,
        params,
        body,
        bodyOptional,
        more,
        audit,
        action,
        asyncAction,
        upgrade);
  }

  public Route answers(int status, String when) {
    return answers(status, when, null);
  }
}
