package io.holdfast.server.jobs;

import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Lists, shows and stops jobs. */
public final class JobRoutes {
  private static final String TOPIC = "Jobs";

  private static final JsonType<Job> JOB =
      JsonObject.of(Job.class)
          .text("id", Job::id, "The job.")
          .field("kind", Json.word("requeue", "remove"), Job::kind, "What it does.")
          .queue("queue", Job::queue, "Where.")
          .whole("total", Job::total, "How many there were to do when it began.")
          .whole("done", Job::done, "How many it has done.")
          .field("state", Json.constant(Job.State.class), Job::state, "How it is.")
          .time("startedAt", Job::startedMs, "When it began.")
          .timeOrNull("endedAt", Job::endedMs, "When it ended, or null.")
          .textOrNull(
              "error", Job::error, "Why it failed, or was stopped by the server; else null.")
          .type();

  /** A job that was begun, or is asked for. */
  public static final JsonType<Job> ONE =
      JsonObject.of(Job.class).field("job", JOB, job -> job, "The job.").type();

  private static final JsonType<List<Job>> LIST =
      new JsonObject<List<Job>>().list("jobs", JOB, jobs -> jobs, "The jobs.").type();

  private final Jobs jobs;
  private final Supplier<Predicate<String>> visible;

  /**
   * @param visible which queues whoever asks may see, while a route acts
   */
  public JobRoutes(Jobs jobs, Supplier<Predicate<String>> visible) {
    this.jobs = jobs;
    this.visible = visible;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/v1/jobs", Access.READ, TOPIC, "List the jobs, the newest first", this::list)
            .answers(200, "those that run, and the last that ended since the server started", LIST),
        Route.get("/api/v1/jobs/{id}", Access.READ, TOPIC, "Show a job", this::show)
            .answers(200, "as it is now", ONE),
        Route.delete(
                "/api/v1/jobs/{id}",
                Access.CONSUME,
                TOPIC,
                "Stop a job; what it has done stays done",
                this::stop)
            .audited("stop-job", "job")
            .answers(200, "it ends after the step that it is at", ONE));
  }

  private Answer list(Call call) {
    Predicate<String> seen = visible.get();
    return Answer.ok(LIST, jobs.all().stream().filter(job -> seen.test(job.queue())).toList());
  }

  private Answer show(Call call) {
    return Answer.ok(ONE, find(call));
  }

  private Answer stop(Call call) {
    Job job = find(call);
    jobs.stop(job);
    return Answer.ok(ONE, job);
  }

  private Job find(Call call) {
    Job job = jobs.find(call.part("id"));
    if (job == null || !visible.get().test(job.queue())) {
      throw Problem.notFound(
          "there is no job of that id; they are forgotten when the server is restarted");
    }
    return job;
  }
}
