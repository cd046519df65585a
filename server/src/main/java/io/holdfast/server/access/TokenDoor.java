package io.holdfast.server.access;

import io.holdfast.api.ErrorCode;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Door;
import io.holdfast.server.http.Pass;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shown;
import java.net.SocketAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The door of a server with tokens: to each route only whoever shows a good one that has its
 * access.
 *
 * <p>What is wrong with a token is not told: none of unknown, revoked, expired and malformed can be
 * told from the others.
 *
 * <p>Thread: any.
 */
public final class TokenDoor implements Door {
  private static final String SCHEME = "bearer ";

  private final Tokens tokens;
  private final BadTokens bad;

  public TokenDoor(Tokens tokens, BadTokens bad) {
    this.tokens = tokens;
    this.bad = bad;
  }

  @Override
  public Pass admit(Route route, Shown shown, @Nullable SocketAddress address) {
    String authorization = shown.authorization();
    String session = shown.session();
    Grant grant =
        authorization != null
            ? tokens.authenticate(shown(authorization))
            : session != null ? tokens.sessions().find(session) : null;
    if (grant == null) {
      return stranger(route, shown, address);
    }
    Caller caller =
        new Caller(
            grant,
            address,
            shown.request(),
            () ->
                (authorization != null || session == null)
                    ? tokens.isGood(grant)
                    : tokens.sessions().find(session) != null,
            () -> tokens.isGood(grant));
    if (!grant.may(route.access())) {
      deny(route, caller);
      throw Problem.forbidden(
          "%s has the role %s; this needs the access %s, which %s have"
              .formatted(
                  grant.told(),
                  grant.role().word(),
                  route.access().name().toLowerCase(Locale.ROOT),
                  String.join(", ", Role.wordsWith(route.access()))));
    }
    if (route.whole() && !grant.isUnlimited()) {
      deny(route, caller);
      throw Problem.forbidden(
          "%s is for %s; this needs a token for all queues".formatted(grant.told(), grant.names()));
    }
    return caller;
  }

  /** Whoever tries what only administrators may is worth a line. */
  private static void deny(Route route, Caller caller) {
    if (route.access() == Access.ADMIN) {
      Audit.of("denied", caller)
          .put("route", route.method() + " " + route.path())
          .result(ErrorCode.FORBIDDEN.name());
    }
  }

  private static String shown(String authorization) {
    return authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? authorization.substring(SCHEME.length()).strip()
        : authorization;
  }

  /** A bad token counts wherever it is shown, but what is public stays so. */
  private Pass stranger(Route route, Shown shown, @Nullable SocketAddress address) {
    Caller stranger = new Caller(null, address, shown.request(), () -> true);
    Problem refusal =
        shown.authorization() != null
            ? bad.refusal(stranger)
            : Problem.unauthenticated(
                "expected a token in the header Authorization: Bearer hf_..., but there is none;"
                    + " whoever runs the broker makes one with: holdfast token create");
    if (route.access() != Access.PUBLIC) {
      throw refusal;
    }
    return stranger;
  }
}
