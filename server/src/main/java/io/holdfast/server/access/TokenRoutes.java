package io.holdfast.server.access;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Limits;
import io.holdfast.api.TimeSource;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Makes, lists and revokes tokens, and tells callers who they are. */
public final class TokenRoutes {
  private static final String TOPIC = "Tokens";

  private static final Shape ROLE =
      Shape.words(Arrays.stream(Role.values()).map(Role::word).toArray(String[]::new));

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
        Route.get("/api/v1/whoami", Access.KNOWN, TOPIC, "What the caller may", this::whoAmI)
            .answers(200, "the caller is known", WHO),
        Route.get("/api/v1/tokens", Access.ADMIN, TOPIC, "List tokens, oldest first", this::list)
            .forWholeBroker()
            .answers(
                200,
                "all of them, without their secrets",
                Shape.fields(Shape.required("tokens", Shape.array(TOKEN), "The tokens."))),
        Route.post("/api/v1/tokens", Access.ADMIN, TOPIC, "Make a token", this::create)
            .audited("create-token")
            .forWholeBroker()
            .body(
                Shape.fields(
                    Shape.required("role", ROLE, "What it is for."),
                    Shape.optional("name", Shape.TEXT, "For people; else the role."),
                    Shape.optional(
                        "queues",
                        Shape.array(Shape.TEXT),
                        "The queues, journals and records it is for, such as orders.*; else all."),
                    Shape.optional(
                        "expiresSeconds", Shape.WHOLE, "How long it is good; else for ever.")))
            .answers(
                201,
                "it is made, and its text is shown this once",
                Shape.fields(
                    TOKEN_FIELDS, Shape.required("token", Shape.TEXT, "The token itself."))),
        Route.delete("/api/v1/tokens/{id}", Access.ADMIN, TOPIC, "Revoke a token", this::revoke)
            .audited("revoke-token", "token")
            .forWholeBroker()
            .answers(200, "it opens nothing any more", TOKEN));
  }

  private Answer whoAmI(Call call) {
    Grant grant = Caller.currentGrant();
    Token token = tokens == null ? null : tokens.find(grant.id());
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("authentication", tokens != null)
            .put("id", grant.id())
            .put("name", grant.name())
            .put("role", grant.role().word())
            .beginArray("access");
    for (Access access : Access.values()) {
      if (grant.may(access)) {
        out.add(access.name().toLowerCase(Locale.ROOT));
      }
    }
    out.endArray().beginArray("queues");
    grant.names().texts().forEach(out::add);
    out.endArray().putTime("expiresAt", token == null ? 0 : token.expiresMs());
    return Answer.ok(out.endObject());
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
    JsonOut out = new JsonOut().beginObject().beginArray("tokens");
    for (Token token : tokens().list()) {
      write(out.beginObject(), token).endObject();
    }
    return Answer.ok(out.endArray().endObject());
  }

  private JsonOut write(JsonOut out, Token token) {
    return TokenJson.shown(out, token, time.wallMs());
  }

  private Answer create(Call call) {
    TokenWish wish = call.json(this::read);
    Audit.detail("tokenName", wish.name());
    Audit.detail("role", wish.role().word());
    Audit.detail("queues", wish.names());
    TokenFile.Made made;
    try {
      made = tokens().create(wish);
    } catch (TokensException unwritten) {
      throw problem(unwritten);
    }
    Token token = made.token();
    Audit.detail("token", token.id());
    JsonOut out = new JsonOut().beginObject().put("token", made.text());
    return Answer.json(201, write(out, token).endObject());
  }

  private TokenWish read(JsonIn in) {
    Role role = null;
    String name = null;
    NamePatterns names = NamePatterns.ALL;
    long expiresMs = 0;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "role" -> role = Role.of(in.text());
        case "name" -> name = in.textOrNull();
        case "queues" -> names = in.isNull() ? names : NamePatterns.of(TokenJson.texts(in));
        case "expiresSeconds" ->
            expiresMs =
                in.isNull()
                    ? 0
                    : time.wallMs() + in.number(1, Limits.DURATION_MS_MAX / 1000) * 1000;
        default -> throw in.unknown("role", "name", "queues", "expiresSeconds");
      }
    }
    if (role == null) {
      throw Problem.required(
          "role", "role: expected one of " + Role.words() + ", but there is none");
    }
    return new TokenWish(name == null ? role.word() : name, role, names, expiresMs);
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
    return Answer.ok(write(new JsonOut().beginObject(), token).endObject());
  }

  private static Problem problem(TokensException unwritten) {
    return Problem.of(500, "INTERNAL", String.valueOf(unwritten.getMessage()));
  }

  private static final Shape WHO =
      Shape.fields(
          Shape.required("authentication", Shape.FLAG, "Whether the server asks for tokens."),
          Shape.required("id", Shape.TEXT, "Of the token; local without one."),
          Shape.required("name", Shape.TEXT, "Its name."),
          Shape.required("role", ROLE, "What it is for."),
          Shape.required("access", Shape.array(Shape.TEXT), "What that role has."),
          Shape.required("queues", Shape.array(Shape.TEXT), "What it is for; * is all."),
          Shape.required("expiresAt", Shape.orNull(Shape.TIME), "When it ends, or null."));

  private static final List<Shape.Field> TOKEN_FIELDS =
      List.of(
          Shape.required("id", Shape.TEXT, "By which it is revoked; no secret."),
          Shape.required("name", Shape.TEXT, "For people."),
          Shape.required("role", ROLE, "What it is for."),
          Shape.required("queues", Shape.array(Shape.TEXT), "What it is for; * is all."),
          Shape.required("createdAt", Shape.TIME, "When it was made."),
          Shape.required("expiresAt", Shape.orNull(Shape.TIME), "When it ends, or null."),
          Shape.required("revokedAt", Shape.orNull(Shape.TIME), "When it was revoked, or null."),
          Shape.required("state", Shape.words("good", "expired", "revoked"), "How it is now."));

  private static final Shape TOKEN = Shape.fields(TOKEN_FIELDS);
}
