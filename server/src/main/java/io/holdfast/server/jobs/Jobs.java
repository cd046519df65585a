package io.holdfast.server.jobs;

import io.holdfast.api.RefusedException;
import io.holdfast.api.TimeSource;
import io.holdfast.server.http.Pass;
import io.holdfast.server.http.Problem;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs of a server: those that run, and the last that ended.
 *
 * <p>They live in memory. One that a restart ends can be begun again: what it has done is done, and
 * it finds the rest. A job ends with the token that started it.
 *
 * <p>Invariant: at most {@link #RUNNING_MAX} run; at most {@link #KEPT_MAX} are told of.
 *
 * <p>Thread: any; each job has a virtual one.
 */
public final class Jobs implements AutoCloseable {
  static final int RUNNING_MAX = 16;
  static final int KEPT_MAX = 100;

  /** Most that one step of a job does. */
  static final int STEP_MAX = 500;

  /** Steps a second of a job that must not go faster, if it does so many. */
  private static final int STEPS_PER_SECOND = 10;

  private static final long SECOND_NANOS = 1_000_000_000;
  private static final int ID_BYTES = 9;
  private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);

  /** The work of a job. */
  @FunctionalInterface
  public interface Work {
    /**
     * Does at most so many more, and answers how many it did; below 0 once nothing is left.
     *
     * @throws RefusedException if the broker refuses it
     */
    long step(int most);
  }

  private final TimeSource time;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Job> jobs = new LinkedHashMap<>();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  public Jobs(TimeSource time) {
    this.time = time;
  }

  /**
   * What a job is started for.
   *
   * @param kind what it does, in a word
   * @param total how many there are to do
   * @param perSecond how many it may do in a second; 0 for as many as it can
   * @param pass what lets its starter do this: it ends when that is not good any more
   * @param listener is told before it begins, and when it has ended
   */
  public record Order(
      String kind, String queue, long total, int perSecond, Pass pass, Consumer<Job> listener) {}

  /**
   * Begins a job.
   *
   * @throws Problem if too many run already
   */
  public Job start(Order order, Work work) {
    Job job;
    synchronized (jobs) {
      long running = jobs.values().stream().filter(Jobs::isRunning).count();
      if (running >= RUNNING_MAX || closed) {
        throw Problem.of(
            429,
            "LIMIT",
            "expected at most "
                + RUNNING_MAX
                + " jobs at once; wait for one, or stop one with DELETE /api/v1/jobs/{id}");
      }
      job = new Job(newId(), order, time.wallMs());
      jobs.put(job.id(), job);
      forgetSome();
    }
    Thread thread = Thread.ofVirtual().name("job-" + job.id()).unstarted(() -> run(job, work));
    order.listener().accept(job);
    threads.add(thread);
    thread.start();
    return job;
  }

  private static boolean isRunning(Job job) {
    return job.state() == Job.State.RUNNING;
  }

  private String newId() {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The oldest that ended are forgotten first. */
  private void forgetSome() {
    Iterator<Job> oldest = jobs.values().iterator();
    while (jobs.size() > KEPT_MAX && oldest.hasNext()) {
      if (!isRunning(oldest.next())) {
        oldest.remove();
      }
    }
  }

  private void run(Job job, Work work) {
    try {
      boolean done = work(job, work);
      job.end(
          done ? Job.State.DONE : Job.State.CANCELLED,
          time.wallMs(),
          done || job.order().pass().isGood()
              ? null
              : "the token that started the job was revoked or changed, or has expired");
    } catch (RefusedException refused) {
      job.end(Job.State.FAILED, time.wallMs(), refused.refusal().detail());
    } catch (RuntimeException | Error failed) {
      LOG.error("A job ({} of {}) failed.", job.order().kind(), job.order().queue(), failed);
      job.end(Job.State.FAILED, time.wallMs(), "internal error; see the server log");
    } finally {
      threads.remove(Thread.currentThread());
    }
    job.order().listener().accept(job);
  }

  /** Works until nothing is left; false if it had to stop before. */
  private boolean work(Job job, Work work) {
    int perSecond = job.order().perSecond();
    int most = perSecond == 0 ? STEP_MAX : Math.clamp(perSecond / STEPS_PER_SECOND, 1, STEP_MAX);
    long dueNanos = time.nanos();
    while (mayContinue(job)) {
      long count = work.step(most);
      if (count < 0) {
        return true;
      }
      job.add(count);
      if (perSecond > 0) {
        dueNanos = Math.max(dueNanos + SECOND_NANOS * most / perSecond, time.nanos());
        await(job, dueNanos);
      }
    }
    return false;
  }

  private boolean mayContinue(Job job) {
    return !closed && job.mayContinue();
  }

  private void await(Job job, long dueNanos) {
    while (mayContinue(job) && time.nanos() < dueNanos) {
      time.parkUntil(dueNanos);
    }
  }

  /** The newest first. */
  public List<Job> all() {
    synchronized (jobs) {
      return new ArrayList<>(jobs.values()).reversed();
    }
  }

  public @Nullable Job find(String id) {
    synchronized (jobs) {
      return jobs.get(id);
    }
  }

  /** Asks a job to stop; what it has done stays done. */
  public void stop(Job job) {
    job.stop();
    look();
  }

  /** Has the jobs that wait look whether they may go on. */
  public void look() {
    threads.forEach(LockSupport::unpark);
  }

  /** Asks all to stop. */
  @Override
  public void close() {
    closed = true;
    look();
  }
}
