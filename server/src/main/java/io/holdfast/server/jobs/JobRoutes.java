package io.holdfast.server.jobs;

import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.server.access.Caller;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import java.util.List;

/** Lists, shows and stops jobs. */
public final class JobRoutes {
  private static final JsonType<Job> JOB =
      JsonObject.of(Job.class)
          .text("id", Job::id, "The job.")
          .field("kind", Json.word("requeue", "remove"), job -> job.order().kind(), "What it does.")
          .queue("queue", job -> job.order().queue(), "Where.")
          .whole("total", job -> job.order().total(), "How many there were to do when it began.")
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

  public JobRoutes(Jobs jobs) {
    this.jobs = jobs;
  }

  public List<Route> routes() {
    return Route.about(
        "Jobs",
        Route.get("/api/v1/jobs")
            .summary("List the jobs, the newest first")
            .answers(
                "those that run, and the last that ended since the server started",
                LIST,
                call -> jobs.all().stream().filter(JobRoutes::isVisible).toList()),
        Route.get("/api/v1/jobs/{id}")
            .summary("Show a job")
            .answers("as it is now", ONE, this::find),
        Route.delete("/api/v1/jobs/{id}", Access.CONSUME)
            .summary("Stop a job; what it has done stays done")
            .audited("stop-job", "job")
            .answers("it ends after the step that it is at", ONE, this::stop));
  }

  private static boolean isVisible(Job job) {
    return Caller.currentGrant().covers(job.order().queue());
  }

  private Job stop(Call call) {
    Job job = find(call);
    jobs.stop(job);
    return job;
  }

  private Job find(Call call) {
    Job job = jobs.find(call.part("id"));
    if (job == null || !isVisible(job)) {
      throw Problem.notFound(
          "there is no job of that id; they are forgotten when the server is restarted");
    }
    return job;
  }
}
