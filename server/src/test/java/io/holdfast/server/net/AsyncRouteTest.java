package io.holdfast.server.net;

import static io.holdfast.server.http.Route.Method.POST;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.api.AsyncResult;
import io.holdfast.api.Result;
import io.holdfast.json.Schema;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.AsyncAnswer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Routes that are answered without a thread of their own. */
class AsyncRouteTest extends ListenerFixture {
  /** A call that is not answered yet. */
  private record Pending(String body, Thread thread, AsyncResult<Answer> answer) {
    void complete(Answer given) {
      answer.answer(Result.ok(given));
    }
  }

  private final BlockingQueue<Pending> calls = new LinkedBlockingQueue<>();
  private final AtomicInteger undone = new AtomicInteger();

  @Override
  protected List<Route> routes() {
    Schema any = Schema.fields();
    return List.of(
        Route.async(POST, "/push", Access.PUSH, "", "", call -> begin(call, false)).body(any),
        Route.async(POST, "/pop", Access.CONSUME, "", "", call -> begin(call, true)).body(any),
        Route.post("/blocking", Access.PUSH, "", "", call -> text("blocking")).body(any),
        Route.async(
                POST,
                "/refused",
                Access.PUSH,
                "",
                "",
                call -> {
                  throw Problem.field("x", "expected something else");
                })
            .body(any));
  }

  private AsyncAnswer<Answer> begin(Call call, boolean parks) {
    AsyncResult<Answer> answer = new AsyncResult<>();
    calls.add(new Pending(new String(call.body(), ISO_8859_1), Thread.currentThread(), answer));
    return new AsyncAnswer<>(parks ? call.whileConnected(answer) : answer, Result::orThrow);
  }

  private Pending next() throws InterruptedException {
    Pending pending = calls.poll(10, TimeUnit.SECONDS);
    assertThat(pending).as("a call").isNotNull();
    return pending;
  }

  private Answer undoable(String text) {
    return text(text).undoneBy(undone::incrementAndGet);
  }

  @Test
  void shouldAnswerWhenTheFutureIsCompletedInWhateverThread() throws Exception {
    // given
    Client client = connect().send(post("/push", "one"));
    Pending first = next();
    assertThat(first.body()).isEqualTo("one");
    assertThat(first.thread().getName()).startsWith("holdfast-net");
    assertThat(traffic.running()).isOne();
    // when
    first.complete(text("answer 1"));
    // then
    assertThat(client.readTo("answer 1")).startsWith("HTTP/1.1 200");
    await().until(() -> traffic.running() == 0);
    assertThat(statuses).containsExactly(200);
    // when
    client.send(post("/push", "two"));
    next().answer().completeExceptionally(Problem.notFound("there is none"));
    // then
    assertThat(client.readTo("}")).startsWith("HTTP/1.1 404").contains("there is none");
  }

  @Test
  void shouldAnswerPipelinedCallsInOrder() throws Exception {
    // given
    Client client =
        connect().send(post("/push", "a") + post("/push", "b") + post("/blocking", "c"));
    // when
    Pending first = next();
    assertThat(calls).as("the second waits for the first").isEmpty();
    first.complete(text("first."));
    next().complete(text("second."));
    // then
    String all = client.readTo("blocking");
    assertThat(all.indexOf("first.")).isPositive().isLessThan(all.indexOf("second."));
  }

  @Test
  void shouldRunOnAVirtualThreadWhereItWouldTakeLong() throws Exception {
    Client client = connect();
    // when
    client.send(post("/push", "x".repeat(65 * 1024)));
    Pending large = next();
    large.complete(text("one"));
    client.readTo("one");
    // then
    assertThat(large.thread().isVirtual()).isTrue();
  }

  @Test
  void shouldAnswerWhatTheActionThrows() {
    assertThat(connect().send(post("/refused", "x")).readTo("}"))
        .startsWith("HTTP/1.1 400")
        .contains("expected something else");
  }

  @Test
  void shouldCancelACallWhoseConnectionIsReset() throws Exception {
    // given
    Client client = connect().send(post("/push", "x"));
    Pending pending = next();
    // when
    client.reset();
    // then
    await().until(() -> pending.answer().isCancelled());
    await().until(() -> traffic.running() == 0 && traffic.connections() == 0);
  }

  @Test
  void shouldCancelAParkedCallWhoseClientSendsNoMore() throws Exception {
    // given
    Client client = connect().send(post("/pop", "x"));
    Pending pending = next();
    // when
    client.shutOutput();
    // then
    await().until(() -> pending.answer().isCancelled());
    assertThat(client.rest()).isEmpty();
    await().until(() -> traffic.running() == 0);
  }

  @Test
  void shouldAnswerAClientThatSendsNoMoreWhereTheCallDoesNotPark() throws Exception {
    // given
    Client client = connect().send(post("/push", "x"));
    Pending pending = next();
    client.shutOutput();
    // when
    pending.complete(text("answer"));
    // then
    assertThat(client.rest()).startsWith("HTTP/1.1 200").endsWith("answer");
  }

  @Test
  void shouldCancelAParkedCallOfACallerWhoIsNotLetInAnyMore() throws Exception {
    // given
    Client client = connect().send(post("/pop", "x"));
    Pending pending = next();
    // when
    good.set(false);
    parked.dismissStrangers();
    // then
    await().until(() -> pending.answer().isCancelled());
    assertThat(client.rest()).isEmpty();
  }

  @Test
  void shouldUndoAnAnswerThatCannotBeWritten() throws Exception {
    // given
    Client client = connect().send(post("/push", "x"));
    Pending pending = next();
    // when: more than the system buffers
    pending.complete(undoable("x".repeat(20_000_000)));
    client.readTo("\r\n\r\n");
    client.reset();
    // then
    await().until(() -> undone.get() == 1);
    await().until(() -> traffic.running() == 0);
  }

  @Test
  void shouldEndACallThatRunsWhenItDrains() throws Exception {
    // given
    Client client = connect().send(post("/push", "x"));
    Pending pending = next();
    // when
    traffic.drain();
    Client late = connect().send(post("/push", "y"));
    // then
    assertThat(late.rest()).startsWith("HTTP/1.1 503").containsIgnoringCase("connection: close");
    pending.complete(text("answer"));
    assertThat(client.rest()).endsWith("answer").containsIgnoringCase("connection: close");
  }
}
