package io.holdfast.workflow.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.api.Result;
import io.holdfast.api.UnreachableException;
import io.holdfast.api.commit.CommitRequest;
import io.holdfast.api.commit.Committed;
import io.holdfast.api.commit.Operation;
import io.holdfast.testkit.WaitLimits;
import io.holdfast.workflow.message.TurnMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes that share a commit are stored as if each had one of its own. */
@Timeout(WaitLimits.TEST_SECONDS)
class SharedCommitsTest {
  private static final Result<Committed> OK = Result.ok(new Committed(List.of()));

  private final Keys keys = new Keys("flows");
  private final List<CommitRequest> asked = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

  /** A broker that holds the first commit back until it is told to go on. */
  private SharedCommits commits(Function<CommitRequest, Result<Committed>> answer) {
    return new SharedCommits(
        keys,
        request -> {
          asked.add(request);
          if (begun.getCount() > 0) {
            begun.countDown();
            awaitQuietly(goOn);
          }
          return answer.apply(request);
        });
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Changes sent(String flow) {
    return new Changes(keys).send(flow, new TurnMessage.Resume());
  }

  private SharedCommits.Part part(String flow) {
    Changes changes = sent(flow);
    return new SharedCommits.Part() {
      @Override
      public Changes changes() {
        return changes;
      }

      @Override
      public void stored() {
        told.add(flow + " stored");
      }

      @Override
      public void apart(@Nullable UnreachableException inDoubt) {
        told.add(flow + (inDoubt == null ? " refused" : " in doubt"));
      }
    };
  }

  private static List<String> flows(CommitRequest request) {
    return request.operations().stream()
        .map(operation -> ((Operation.PushMessage) operation).message().partition())
        .toList();
  }

  private List<String> told(int count) throws InterruptedException {
    List<String> some = new ArrayList<>();
    while (some.size() < count) {
      String next = told.poll(WaitLimits.EVENT.toSeconds(), TimeUnit.SECONDS);
      assertThat(next).as("after %s", some).isNotNull();
      some.add(next);
    }
    return some;
  }

  @Test
  void shouldStoreTogetherWhatComesWhileOneIsUnderWay() throws InterruptedException {
    // given
    SharedCommits commits = commits(request -> OK);
    commits.add(part("a"));
    awaitQuietly(begun);
    // when
    commits.add(part("b"));
    commits.add(part("c"));
    commits.add(part("b"));
    goOn.countDown();
    // then
    assertThat(told(4)).containsExactlyInAnyOrder("a stored", "b stored", "c stored", "b stored");
    assertThat(asked.stream().map(SharedCommitsTest::flows))
        .containsExactly(List.of("a"), List.of("b", "b", "c"));
  }

  @Test
  void shouldTryEachByItselfIfSomeAreRefused() throws InterruptedException {
    // given
    SharedCommits commits =
        commits(request -> Result.refused(ErrorCode.WRONG_POSITION, "somebody was here"));
    // when
    commits.add(part("a"));
    awaitQuietly(begun);
    commits.add(part("b"));
    commits.add(part("c"));
    goOn.countDown();
    // then
    assertThat(told(3)).containsExactlyInAnyOrder("a refused", "b refused", "c refused");
  }

  @Test
  void shouldPartFromTheOneThatIsBlamed() throws InterruptedException {
    // given
    SharedCommits commits =
        commits(
            request -> {
              int bad = flows(request).indexOf("bad");
              return bad < 0
                  ? OK
                  : Result.refused(Refusal.of(ErrorCode.WRONG_VERSION, "it is there").at(bad));
            });
    commits.add(part("a"));
    awaitQuietly(begun);
    // when
    commits.add(part("b"));
    commits.add(part("bad"));
    commits.add(part("c"));
    goOn.countDown();
    // then
    assertThat(told(4))
        .containsExactlyInAnyOrder("a stored", "b stored", "bad refused", "c stored");
    assertThat(asked.stream().map(SharedCommitsTest::flows))
        .containsExactly(List.of("a"), List.of("b", "bad", "c"), List.of("b", "c"));
  }

  @Test
  void shouldSayWhenNobodyKnows() throws InterruptedException {
    // given
    SharedCommits commits =
        commits(
            request -> {
              throw new UnreachableException("no answer", true, new IOException("closed"));
            });
    // when
    commits.add(part("a"));
    goOn.countDown();
    // then
    assertThat(told(1)).containsExactly("a in doubt");
    assertThatThrownBy(() -> commits.commit(sent("b"))).isInstanceOf(UnreachableException.class);
    assertThat(asked).hasSize(2);
  }

  @Test
  void shouldGoOnAfterABrokerThatFailed() throws InterruptedException {
    // given
    SharedCommits commits =
        commits(
            request -> {
              if (flows(request).contains("bad")) {
                throw new AssertionError("wrong");
              }
              return OK;
            });
    goOn.countDown();
    // when
    commits.add(part("bad"));
    // then
    assertThat(told(1)).containsExactly("bad refused");
    assertThat(commits.commit(sent("good"))).isNull();
  }

  @Test
  void shouldTellTheOneThatIsRefused() {
    // given
    SharedCommits commits =
        commits(
            request ->
                flows(request).contains("bad") ? Result.refused(ErrorCode.FULL, "no room") : OK);
    CompletableFuture<Void> first =
        CompletableFuture.runAsync(() -> commits.commit(sent("a")), Thread::startVirtualThread);
    awaitQuietly(begun);
    // when
    CompletableFuture<@Nullable Refusal> good =
        CompletableFuture.supplyAsync(
            () -> commits.commit(sent("good")), Thread::startVirtualThread);
    CompletableFuture<@Nullable Refusal> bad =
        CompletableFuture.supplyAsync(
            () -> commits.commit(sent("bad")), Thread::startVirtualThread);
    goOn.countDown();
    // then
    first.join();
    assertThat(good.join()).isNull();
    assertThat(bad.join()).isNotNull();
  }
}
