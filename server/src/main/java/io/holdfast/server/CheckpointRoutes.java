package io.holdfast.server;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.Result;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.server.Upkeep.Checkpoint;
import io.holdfast.server.access.Audit;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Refusals;
import io.holdfast.server.http.Route;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Makes and lists checkpoints of the store, on the disk of the server. */
public final class CheckpointRoutes {
  private static final String PATH = "/api/v1/system/checkpoints";
  private static final String TOPIC = "Upkeep";

  /** Never a way out of the directory of checkpoints. */
  private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,99}");

  /** How the names of those end that are not whole yet. */
  private static final String PART = ".part";

  private static final JsonType<Checkpoint> CHECKPOINT =
      JsonObject.of(Checkpoint.class)
          .text("name", Checkpoint::name, "Its name.")
          .text("directory", Checkpoint::directory, "Where it is, on the server's machine.")
          .whole("bytes", Checkpoint::bytes, "The size of its files.")
          .time("createdAt", Checkpoint::madeMs, "When it was whole.")
          .type();

  private static final JsonType<List<Checkpoint>> CHECKPOINTS =
      new JsonObject<List<Checkpoint>>()
          .list("checkpoints", CHECKPOINT, all -> all, "The checkpoints.")
          .type();

  private static final Field<String> NAME =
      Field.text(
          "name",
          "What to call it: up to 100 letters, digits, dots, dashes and underscores, not beginning"
              + " with a dot or dash nor ending in .part. Else the time, in UTC.");

  private static final JsonType<Optional<String>> BODY =
      Json.object(in -> Optional.ofNullable(in.find(NAME)).map(CheckpointRoutes::checked), NAME);

  private final Upkeep upkeep;

  public CheckpointRoutes(Upkeep upkeep) {
    this.upkeep = upkeep;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(PATH, Access.ADMIN, TOPIC, "Copy all data while the broker runs", this::make)
            .audited("checkpoint")
            .forWholeBroker()
            .bodyIfAny(BODY)
            .answers(201, "the checkpoint is whole", CHECKPOINT),
        Route.get(PATH, Access.ADMIN, TOPIC, "The checkpoints that are there", this::list)
            .forWholeBroker()
            .answers(200, "oldest first", CHECKPOINTS));
  }

  private Answer make(Call call) {
    Optional<String> name = call.jsonOrEmpty(BODY);
    Result<Checkpoint> result = upkeep.checkpoint(name.orElse(null));
    Audit.detail("checkpoint", result.isOk() ? result.orThrow().name() : name.orElse(null));
    return Answer.json(201, CHECKPOINT, Refusals.orThrow(result));
  }

  private static String checked(String name) {
    if (!NAMES.matcher(name).matches() || name.endsWith(PART)) {
      throw new InvalidArgumentException(
          "name: expected letters, digits, dots, dashes and underscores, not ending in "
              + PART
              + ", but got another text");
    }
    return name;
  }

  private Answer list(Call call) {
    return Answer.ok(CHECKPOINTS, Refusals.orThrow(upkeep.checkpoints()));
  }
}
