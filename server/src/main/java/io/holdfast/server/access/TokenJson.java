package io.holdfast.server.access;

import io.holdfast.json.Field;
import io.holdfast.json.Json;
import io.holdfast.json.JsonException;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonType;
import io.holdfast.json.Schema;
import io.holdfast.json.Values;
import java.util.Arrays;
import java.util.List;

/** Tokens as JSON: the file that they are stored in, and the public fields of a token. */
public final class TokenJson {
  private static final int FORMAT = 1;

  static final JsonType<Role> ROLE =
      JsonType.read(
          Schema.words(Arrays.stream(Role.values()).map(Role::word).toArray(String[]::new)),
          "one of " + Role.words(),
          in -> Role.of(in.text()));

  private static final Field<String> ID = Field.required("id", Json.TEXT, "Its id.");
  private static final Field<String> NAME = Field.required("name", Json.TEXT, "Its name.");
  private static final Field<String> ROLE_WORD = Field.required("role", Json.TEXT, "Its role.");
  private static final Field<List<String>> QUEUES =
      Field.optional("queues", Json.list(Json.TEXT, Integer.MAX_VALUE), List.of(), "Patterns.");
  private static final Field<String> HASH =
      Field.required("sha256", Json.TEXT, "The hash of its secret.");
  private static final Field<Long> CREATED =
      Field.optional("createdAt", Json.TIME, 0L, "When it was created.");
  private static final Field<Long> EXPIRES =
      Field.optional("expiresAt", Json.TIME, 0L, "When it expires.");
  private static final Field<Long> REVOKED =
      Field.optional("revokedAt", Json.TIME, 0L, "When it was revoked.");
  private static final Field<Long> FORMAT_NUMBER =
      Field.required("format", Json.whole(FORMAT, FORMAT), "The format of the file.");
  private static final Field<List<Token>> TOKENS =
      Field.required(
          "tokens",
          Json.list(
              Json.object(
                  TokenJson::token, ID, NAME, ROLE_WORD, QUEUES, HASH, CREATED, EXPIRES, REVOKED),
              Integer.MAX_VALUE),
          "The tokens.");

  private static final JsonType<List<Token>> DOCUMENT =
      Json.object(in -> in.get(TOKENS), FORMAT_NUMBER, TOKENS);

  private static final JsonObject<Token> FIELDS =
      JsonObject.of(Token.class)
          .text("id", Token::id, "The id by which it is revoked; not secret.")
          .text("name", Token::name, "A name for people.")
          .field("role", roleWritten(), Token::role, "Its role.")
          .list(
              "queues",
              Json.TEXT,
              token -> token.names().texts(),
              "Patterns of the queues, journals and records it covers; * is all.")
          .time("createdAt", Token::createdMs, "When it was created.")
          .timeOrNull("expiresAt", Token::expiresMs, "When it expires, or null.")
          .timeOrNull("revokedAt", Token::revokedMs, "When it was revoked, or null.");

  private static final JsonType<List<Token>> STORED =
      new JsonObject<List<Token>>()
          .whole("format", tokens -> FORMAT, "The format of the file.")
          .list(
              "tokens",
              JsonObject.of(Token.class)
                  .include(FIELDS, token -> token)
                  .text("sha256", Token::sha256, "The hash of its secret.")
                  .type(),
              tokens -> tokens,
              "The tokens.")
          .type();

  /** A token at a time. */
  public record State(Token token, long nowMs) {}

  private static final JsonObject<State> PUBLIC_FIELDS =
      JsonObject.of(State.class)
          .include(FIELDS, State::token)
          .field(
              "state",
              Json.word("good", "expired", "revoked"),
              shown -> shown.token().state(shown.nowMs()),
              "Its current state.");

  /** The public fields of a token. */
  public static final JsonType<State> TOKEN = PUBLIC_FIELDS.type();

  /** A list of tokens. */
  public static final JsonType<List<State>> LIST =
      new JsonObject<List<State>>().list("tokens", TOKEN, tokens -> tokens, "The tokens.").type();

  /** A token that was created, with its secret text. */
  public static final JsonType<TokenFile.Made> CREATED_TOKEN =
      JsonObject.of(TokenFile.Made.class)
          .text("token", TokenFile.Made::text, "The token itself.")
          .include(PUBLIC_FIELDS, made -> new State(made.token(), made.token().createdMs()))
          .type();

  private TokenJson() {}

  static JsonType<Role> roleWritten() {
    return JsonType.written(ROLE.schema(), (out, role) -> out.add(role.word()));
  }

  /** Lists tokens as they are at a time. */
  public static List<State> states(List<Token> tokens, long nowMs) {
    return tokens.stream().map(token -> new State(token, nowMs)).toList();
  }

  static byte[] write(List<Token> tokens) {
    return STORED.bytes(tokens);
  }

  /**
   * Reads a document.
   *
   * @throws IllegalArgumentException describing the error in it
   */
  static List<Token> read(byte[] document) {
    try {
      return DOCUMENT.read(document);
    } catch (JsonException wrong) {
      throw new IllegalArgumentException(wrong.getMessage(), wrong);
    }
  }

  private static Token token(Values in) {
    return new Token(
        in.get(ID),
        in.get(NAME),
        in.get(HASH),
        Role.of(in.get(ROLE_WORD)),
        NamePatterns.of(in.get(QUEUES)),
        in.get(CREATED),
        in.get(EXPIRES),
        in.get(REVOKED));
  }
}
