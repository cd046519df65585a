package io.holdfast.server.access;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.JsonOut;
import io.holdfast.server.http.Problem;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tokens as JSON: the document that they are stored as, and what is shown of one. */
public final class TokenJson {
  private static final int FORMAT = 1;

  private TokenJson() {}

  static byte[] write(List<Token> tokens) {
    JsonOut out = new JsonOut().beginObject().put("format", FORMAT).beginArray("tokens");
    for (Token token : tokens) {
      fields(out.beginObject(), token)
          .put("sha256", HexFormat.of().formatHex(token.hash()))
          .endObject();
    }
    return out.endArray().endObject().done();
  }

  /** What is shown of a token: the fields of an object that was begun. */
  public static JsonOut shown(JsonOut out, Token token, long nowMs) {
    return fields(out, token).put("state", token.state(nowMs));
  }

  private static JsonOut fields(JsonOut out, Token token) {
    out.put("id", token.id()).put("name", token.name()).put("role", token.role().word());
    out.beginArray("queues");
    token.names().texts().forEach(out::add);
    return out.endArray()
        .putTime("createdAt", token.createdMs())
        .putTime("expiresAt", token.expiresMs())
        .putTime("revokedAt", token.revokedMs());
  }

  /**
   * Reads a document.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  static List<Token> read(byte[] document) {
    try (JsonIn in = JsonIn.of(document)) {
      List<Token> tokens = null;
      boolean known = false;
      in.beginObject();
      for (String field = in.nextField(); field != null; field = in.nextField()) {
        switch (field) {
          case "format" -> known = in.number(0, Integer.MAX_VALUE) == FORMAT;
          case "tokens" -> tokens = tokens(in);
          default -> throw in.unknown("format", "tokens");
        }
      }
      in.end();
      if (!known || tokens == null) {
        throw new IllegalArgumentException(
            "expected format " + FORMAT + " and tokens, but one of them is missing or another");
      }
      return tokens;
    } catch (Problem wrong) {
      throw new IllegalArgumentException(wrong.getMessage(), wrong);
    }
  }

  private static List<Token> tokens(JsonIn in) {
    List<Token> tokens = new ArrayList<>();
    in.beginArray();
    while (in.nextElement()) {
      tokens.add(token(in));
    }
    return tokens;
  }

  private static Token token(JsonIn in) {
    String place = in.place();
    String id = null;
    String name = null;
    String role = null;
    String hash = null;
    List<String> queues = null;
    long createdMs = 0;
    long expiresMs = 0;
    long revokedMs = 0;
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      switch (field) {
        case "id" -> id = in.text();
        case "name" -> name = in.text();
        case "role" -> role = in.text();
        case "queues" -> queues = texts(in);
        case "sha256" -> hash = in.text();
        case "createdAt" -> createdMs = time(in);
        case "expiresAt" -> expiresMs = time(in);
        case "revokedAt" -> revokedMs = time(in);
        default ->
            throw in.unknown(
                "id", "name", "role", "queues", "sha256", "createdAt", "expiresAt", "revokedAt");
      }
    }
    try {
      return new Token(
          present(id, "id"),
          present(name, "name"),
          HexFormat.of().parseHex(present(hash, "sha256")),
          Role.of(present(role, "role")),
          NamePatterns.of(queues == null ? List.of() : queues),
          createdMs,
          expiresMs,
          revokedMs);
    } catch (IllegalArgumentException wrong) {
      // Also what the JDK says of digits that are none.
      throw Problem.argument(
          place, new InvalidArgumentException(String.valueOf(wrong.getMessage()), wrong));
    }
  }

  /** Reads an array of texts. */
  static List<String> texts(JsonIn in) {
    List<String> texts = new ArrayList<>();
    in.beginArray();
    while (in.nextElement()) {
      texts.add(in.text());
    }
    return texts;
  }

  private static long time(JsonIn in) {
    return in.isNull() ? 0 : in.time();
  }

  private static String present(@Nullable String value, String field) {
    if (value == null) {
      throw new InvalidArgumentException(field + ": expected a text, but there is none");
    }
    return value;
  }
}
