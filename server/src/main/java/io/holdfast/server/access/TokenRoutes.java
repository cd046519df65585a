package io.holdfast.server.access;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.TimeSource;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Values;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Creates, lists and revokes tokens, and shows callers their own permissions. */
public final class TokenRoutes {
  private static final String TOPIC = "Tokens";

  private static final Field<Role> ROLE = Field.required("role", TokenJson.ROLE, "Its role.");
  private static final Field<String> NAME =
      Field.text("name", "A name for people; by default the role.");
  private static final Field<List<String>> QUEUES =
      Field.optional(
          "queues",
          Json.list(Json.TEXT, Integer.MAX_VALUE),
          NamePatterns.ALL.texts(),
          "Patterns of the queues, journals and records it covers, such as orders.*; by default"
              + " all.");
  private static final Field<Long> EXPIRES_SECONDS =
      Field.optional(
          "expiresSeconds",
          Json.whole(1, Limits.DURATION_MS_MAX / 1000),
          "Seconds until it expires; by default it does not.");
  private static final JsonType<Values> BODY =
      Json.object(in -> in, ROLE, NAME, QUEUES, EXPIRES_SECONDS);

  /** The caller. */
  private record Who(boolean authentication, Grant grant, long expiresMs) {
    List<String> access() {
      return Arrays.stream(Access.values())
          .filter(grant::may)
          .map(access -> access.name().toLowerCase(Locale.ROOT))
          .toList();
    }
  }

  private static final JsonType<Who> WHO =
      JsonObject.of(Who.class)
          .flag("authentication", Who::authentication, "Whether the server requires tokens.")
          .text("id", who -> who.grant().id(), "The id of the token; local without one.")
          .text("name", who -> who.grant().name(), "Its name.")
          .field("role", TokenJson.roleWritten(), who -> who.grant().role(), "Its role.")
          .list("access", Json.TEXT, Who::access, "The accesses of that role.")
          .list(
              "queues",
              Json.TEXT,
              who -> who.grant().names().texts(),
              "Patterns of the queues, journals and records it covers; * is all.")
          .timeOrNull("expiresAt", Who::expiresMs, "When it expires, or null.")
          .type();

  private final @Nullable Tokens tokens;
  private final TimeSource time;

  /**
   * @param tokens null if the server has none, and lets in everybody
   */
  public TokenRoutes(@Nullable Tokens tokens, TimeSource time) {
    this.tokens = tokens;
    this.time = time;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/whoami",
                Access.KNOWN,
                TOPIC,
                "Show the permissions of the caller",
                this::whoAmI)
            .answers(200, "the caller is known", WHO),
        Route.get("/api/v1/tokens", Access.ADMIN, TOPIC, "List tokens, oldest first", this::list)
            .forWholeBroker()
            .answers(200, "all of them, without their secrets", TokenJson.LIST),
        Route.post("/api/v1/tokens", Access.ADMIN, TOPIC, "Create a token", this::create)
            .audited("create-token")
            .forWholeBroker()
            .body(BODY)
            .answers(
                201, "it is created, and its text is shown this once", TokenJson.CREATED_TOKEN),
        Route.delete("/api/v1/tokens/{id}", Access.ADMIN, TOPIC, "Revoke a token", this::revoke)
            .audited("revoke-token", "token")
            .forWholeBroker()
            .answers(200, "it is no longer accepted", TokenJson.TOKEN));
  }

  private Answer whoAmI(Call call) {
    Grant grant = Caller.currentGrant();
    Token token = tokens == null ? null : tokens.find(grant.id());
    return Answer.ok(WHO, new Who(tokens != null, grant, token == null ? 0 : token.expiresMs()));
  }

  private Tokens tokens() {
    Tokens known = tokens;
    if (known == null) {
      throw Problem.of(
          409,
          ErrorCode.WRONG_STATE.name(),
          "this server has no tokens and lets in everybody; make a token with: holdfast token"
              + " create, and start the server again with --tokens");
    }
    return known;
  }

  private Answer list(Call call) {
    return Answer.ok(TokenJson.LIST, TokenJson.states(tokens().list(), time.wallMs()));
  }

  private Answer create(Call call) {
    TokenWish wish = wish(call.json(BODY));
    Audit.detail("tokenName", wish.name());
    Audit.detail("role", wish.role().word());
    Audit.detail("queues", wish.names());
    TokenFile.Made made;
    try {
      made = tokens().create(wish);
    } catch (TokensException unwritten) {
      throw problem(unwritten);
    }
    Audit.detail("token", made.token().id());
    return Answer.json(201, TokenJson.CREATED_TOKEN, made);
  }

  private TokenWish wish(Values in) {
    String name = in.find(NAME);
    Long seconds = in.find(EXPIRES_SECONDS);
    return new TokenWish(
        name == null ? in.get(ROLE).word() : name,
        in.get(ROLE),
        NamePatterns.of(in.get(QUEUES)),
        seconds == null ? 0 : time.wallMs() + seconds * 1000);
  }

  private Answer revoke(Call call) {
    String id = call.part("id");
    Token token;
    try {
      token = tokens().revoke(id);
    } catch (TokensException unwritten) {
      throw problem(unwritten);
    }
    if (token == null) {
      throw Problem.notFound("there is no token of that id");
    }
    return Answer.ok(TokenJson.TOKEN, new TokenJson.State(token, time.wallMs()));
  }

  private static Problem problem(TokensException unwritten) {
    return Problem.of(500, "INTERNAL", String.valueOf(unwritten.getMessage()));
  }
}
