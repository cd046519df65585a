package io.holdfast.workflow.test;

import io.holdfast.workflow.Definition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the same test again and again: first as it is, then under each fault that was asked for.
 *
 * <pre>
 *   FlowTest.with(ORDER, CHARGE, SHIP)
 *       .crashAtEveryCommit()
 *       .deliverEverythingTwice()
 *       .run(test -&gt; {
 *         test.start(ORDER, "o-1", order);
 *         assertThat(test.await("o-1", ORDER)).isEqualTo("shipped");
 *       });
 * </pre>
 *
 * <p>Each run has a broker of its own, so that the test makes all it needs, fakes included, in its
 * body. A failure names the fault, and {@link #only} runs it alone.
 *
 * <p>Thread: one.
 */
public final class FlowRuns {
  /** A test; it is given what it tests with. */
  @FunctionalInterface
  public interface Body {
    void run(FlowTest test) throws Exception;
  }

  private final Definition[] code;
  private final List<Fault> faults = new ArrayList<>();
  private boolean crashes;
  private @Nullable Fault only;
  private int runs;

  FlowRuns(Definition... code) {
    this.code = code.clone();
  }

  /**
   * Lets the worker die at each of its commits and settles: once before it was stored, and once
   * after, with the answer lost.
   *
   * <p>The worker then loses all it has in memory and gives nothing back; another one takes over
   * when its leases have run out, which takes ten seconds of the time of the flows. What the test
   * itself asks of flows goes well. An activity whose result was not stored is done again.
   */
  public FlowRuns crashAtEveryCommit() {
    crashes = true;
    return this;
  }

  /**
   * Sends every message to flows and workers twice: starts, results, timers, events, and work; in
   * one run at once, in another the second a second later.
   *
   * <p>So every activity runs twice, and the flow gets the result that comes first. That is what at
   * least once means; code that must not do its work twice looks at {@link
   * io.holdfast.workflow.Work#key}.
   */
  public FlowRuns deliverEverythingTwice() {
    faults.add(new Fault.Twice(0));
    faults.add(new Fault.Twice(Fault.LATE_MS));
    return this;
  }

  /** Keeps no flow in memory: each turn runs the code again on its history. */
  public FlowRuns replayAtEveryTurn() {
    faults.add(new Fault.Replay());
    return this;
  }

  /**
   * Runs two workers that take the turns of each flow alternately: each worker's memory of a flow
   * lacks the turn before.
   */
  public FlowRuns twoWorkers() {
    faults.add(new Fault.TwoWorkers());
    return this;
  }

  /** Runs the test under one fault alone, by the name that a failure told. */
  public FlowRuns only(String fault) {
    only = Fault.of(fault);
    return this;
  }

  /**
   * Runs the test.
   *
   * @throws AssertionError if it fails, with the fault under which it did
   */
  public void run(Body test) {
    if (only != null) {
      run(test, only);
      return;
    }
    int commits = run(test, Fault.NONE);
    faults.forEach(fault -> run(test, fault));
    if (crashes) {
      // How many commits there are may differ from run to run, as what comes together does.
      boolean died = true;
      for (int commit = 1; commit <= commits || died; commit++) {
        died = run(test, new Fault.Crash(commit, false)) < 0;
        died |= run(test, new Fault.Crash(commit, true)) < 0;
      }
    }
  }

  /** How many times the test has been run. */
  public int runs() {
    return runs;
  }

  /** Runs the test once; answers how often its worker stored something, or -1 if it died. */
  private int run(Body body, Fault fault) {
    runs++;
    try (FlowTest test = new FlowTest(fault, code)) {
      body.run(test);
      return test.died() ? -1 : test.commits();
    } catch (Exception | AssertionError failure) {
      if (fault.equals(Fault.NONE)) {
        throw failure instanceof AssertionError error ? error : new AssertionError(failure);
      }
      throw new AssertionError(
          "The test fails under the fault \""
              + fault
              + "\": "
              + failure
              + "\nRun it alone with only(\""
              + fault
              + "\").",
          failure);
    }
  }
}
