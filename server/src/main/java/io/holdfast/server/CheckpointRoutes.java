package io.holdfast.server;

import io.holdfast.api.Result;
import io.holdfast.server.Upkeep.Checkpoint;
import io.holdfast.server.access.Audit;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Makes and lists checkpoints of the store, on the disk of the server. */
public final class CheckpointRoutes {
  private static final String PATH = "/api/v1/system/checkpoints";
  private static final String TOPIC = "Upkeep";
  private static final String NAME = "name";

  /** Never a way out of the directory of checkpoints. */
  private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,99}");

  /** How the names of those end that are not whole yet. */
  private static final String PART = ".part";

  private static final Shape CHECKPOINT =
      Shape.fields(
          Shape.required(NAME, Shape.TEXT, "Its name."),
          Shape.required("directory", Shape.TEXT, "Where it is, on the server's machine."),
          Shape.required("bytes", Shape.WHOLE, "The size of its files."),
          Shape.required("createdAt", Shape.TIME, "When it was whole."));

  private final Upkeep upkeep;

  public CheckpointRoutes(Upkeep upkeep) {
    this.upkeep = upkeep;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(PATH, Access.ADMIN, TOPIC, "Copy all data while the broker runs", this::make)
            .audited("checkpoint")
            .forWholeBroker()
            .bodyIfAny(
                Shape.fields(
                    Shape.optional(
                        NAME,
                        Shape.TEXT,
                        "What to call it: up to 100 letters, digits, dots, dashes and underscores,"
                            + " not beginning with a dot or dash nor ending in .part. Else the"
                            + " time, in UTC.")))
            .answers(201, "the checkpoint is whole", CHECKPOINT),
        Route.get(PATH, Access.ADMIN, TOPIC, "The checkpoints that are there", this::list)
            .forWholeBroker()
            .answers(
                200,
                "oldest first",
                Shape.fields(
                    Shape.required("checkpoints", Shape.array(CHECKPOINT), "The checkpoints."))));
  }

  private Answer make(Call call) {
    Optional<String> name = call.hasBody() ? call.json(CheckpointRoutes::name) : Optional.empty();
    Result<Checkpoint> result = upkeep.checkpoint(name.orElse(null));
    Audit.detail("checkpoint", result.isOk() ? result.orThrow().name() : name.orElse(null));
    Checkpoint made = orThrow(result);
    JsonOut out = new JsonOut();
    write(out, made);
    return Answer.json(201, out);
  }

  private static Optional<String> name(JsonIn in) {
    String name = null;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      if (!field.equals(NAME)) {
        throw in.unknown(NAME);
      }
      name = in.textOrNull();
      if (name != null && (!NAMES.matcher(name).matches() || name.endsWith(PART))) {
        throw in.wrong("letters, digits, dots, dashes and underscores, not ending in " + PART);
      }
    }
    return Optional.ofNullable(name);
  }

  private Answer list(Call call) {
    JsonOut out = new JsonOut().beginObject().beginArray("checkpoints");
    orThrow(upkeep.checkpoints()).forEach(checkpoint -> write(out, checkpoint));
    return Answer.ok(out.endArray().endObject());
  }

  private static void write(JsonOut out, Checkpoint checkpoint) {
    out.beginObject()
        .put(NAME, checkpoint.name())
        .put("directory", checkpoint.directory())
        .put("bytes", checkpoint.bytes())
        .putTime("createdAt", checkpoint.madeMs())
        .endObject();
  }

  private static <T> T orThrow(Result<T> result) {
    if (result instanceof Result.Ok<T> ok) {
      return ok.value();
    }
    throw Problem.refused(result.refusal());
  }
}
