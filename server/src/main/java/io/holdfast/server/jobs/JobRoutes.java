package io.holdfast.server.jobs;

import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Tells of jobs, and stops them. */
public final class JobRoutes {
  private static final String TOPIC = "Jobs";

  private static final Shape JOB =
      Shape.fields(
          Shape.required("id", Shape.TEXT, "The job."),
          Shape.required("kind", Shape.words("requeue", "remove"), "What it does."),
          Shape.required("queue", Shape.QUEUE, "Where."),
          Shape.required("total", Shape.WHOLE, "How many there were to do when it began."),
          Shape.required("done", Shape.WHOLE, "How many it has done."),
          Shape.required(
              "state", Shape.words("running", "done", "cancelled", "failed"), "How it is."),
          Shape.required("startedAt", Shape.TIME, "When it began."),
          Shape.required("endedAt", Shape.TIME, "When it ended, or null."),
          Shape.required(
              "error", Shape.TEXT, "Why it failed, or was stopped by the server; else null."));

  /** A job that was begun, or is asked for. */
  public static final Shape ONE = Shape.fields(Shape.required("job", JOB, "The job."));

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
            .answers(
                200,
                "those that run, and the last that ended since the server started",
                Shape.fields(Shape.required("jobs", Shape.array(JOB), "The jobs."))),
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
    JsonOut out = new JsonOut().beginObject().beginArray("jobs");
    for (Job job : jobs.all()) {
      if (seen.test(job.queue())) {
        write(out.beginObject(), job).endObject();
      }
    }
    return Answer.ok(out.endArray().endObject());
  }

  private Answer show(Call call) {
    return answer(200, find(call));
  }

  private Answer stop(Call call) {
    Job job = find(call);
    jobs.stop(job);
    return answer(200, job);
  }

  private Job find(Call call) {
    Job job = jobs.find(call.part("id"));
    if (job == null || !visible.get().test(job.queue())) {
      throw Problem.notFound(
          "there is no job of that id; they are forgotten when the server is restarted");
    }
    return job;
  }

  public static Answer answer(int status, Job job) {
    JsonOut out = new JsonOut().beginObject().beginObject("job");
    return Answer.json(status, write(out, job).endObject().endObject());
  }

  private static JsonOut write(JsonOut out, Job job) {
    return out.put("id", job.id())
        .put("kind", job.kind())
        .put("queue", job.queue())
        .put("total", job.total())
        .put("done", job.done())
        .put("state", job.state().word())
        .putTime("startedAt", job.startedMs())
        .putTime("endedAt", job.endedMs())
        .put("error", job.error());
  }
}
