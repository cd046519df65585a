package io.holdfast.server.access;

import io.holdfast.api.ErrorCode;
import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonType;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Signs browsers in and out: they show a token once, and get a cookie for it. */
public final class SessionRoutes {
  private static final String TOPIC = "Access";
  private static final Field<String> TOKEN =
      Field.required("token", Json.TEXT, "The token.")
          .missing("token: expected a token, but there is none");
  private static final JsonType<String> BODY = Json.object(in -> in.get(TOKEN), TOKEN);

  private final @Nullable Tokens tokens;
  private final BadTokens badTokens;

  /**
   * @param tokens null if the server has none, and lets in everybody
   */
  public SessionRoutes(@Nullable Tokens tokens, BadTokens badTokens) {
    this.tokens = tokens;
    this.badTokens = badTokens;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/v1/session",
                Access.PUBLIC,
                TOPIC,
                "Sign a browser in: from here on its cookie stands for the token",
                this::signIn)
            .auditedInside("sign-in")
            .body(BODY)
            .answers(204, "it has a cookie for 12 hours, or until its token ends"),
        Route.delete("/api/v1/session", Access.PUBLIC, TOPIC, "Sign a browser out", this::signOut)
            .audited("sign-out")
            .answers(204, "its cookie opens nothing any more"));
  }

  private Answer signIn(Call call) {
    String text = call.json(BODY);
    Tokens known = tokens;
    if (known == null) {
      throw Problem.of(
          409,
          ErrorCode.WRONG_STATE.name(),
          "this server has no tokens and lets in everybody: nobody has to sign in");
    }
    Grant grant = known.authenticate(text);
    if (grant == null) {
      throw badTokens.refusal(Caller.current());
    }
    // A browser that signs in again has one session, not two.
    end(call);
    Audit.of("sign-in", Caller.current().signedIn(grant)).result("OK");
    return cookie(call, known.sessions().open(grant), Sessions.LENGTH_MS / 1000);
  }

  private Answer signOut(Call call) {
    end(call);
    return cookie(call, "", 0);
  }

  /** Ends the session that a browser shows, if it shows one. */
  private void end(Call call) {
    String session = call.shown().session();
    if (session != null && tokens != null) {
      tokens.sessions().end(session);
    }
  }

  /** Scripts cannot read it, and no page of another origin has it sent along. */
  private static Answer cookie(Call call, String value, long seconds) {
    return Answer.nothing()
        .header(
            "Set-Cookie",
            call.shown().cookie()
                + "="
                + value
                + "; Path=/; Max-Age="
                + seconds
                + "; HttpOnly; SameSite=Strict"
                + (call.shown().secure() ? "; Secure" : ""));
  }
}
