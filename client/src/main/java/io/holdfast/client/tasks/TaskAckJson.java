package io.holdfast.client.tasks;

import io.holdfast.api.task.TaskStatus;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Acks as JSON: one flat object of texts, which is all that is read.
 *
 * <p>Thread: one reads one text.
 */
final class TaskAckJson {
  /** Longest text that is looked at. */
  static final int CHARS_MAX = 64 * 1024;

  private final String json;
  private int at;

  private TaskAckJson(String json) {
    this.json = json;
  }

  static String write(TaskAck ack) {
    StringBuilder out = new StringBuilder(200).append('{');
    put(out, "taskId", ack.taskId().toString());
    put(out, "status", Texts.word(ack.status()));
    put(out, "deviceId", ack.deviceId());
    put(out, "timestamp", ack.timestamp().toString());
    if (ack.error() != null) {
      put(out, "error", ack.error());
    }
    return out.append('}').toString();
  }

  private static void put(StringBuilder out, String name, String value) {
    out.append(out.length() > 1 ? "," : "").append('"').append(name).append("\":\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20) {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  static TaskAck read(String json) {
    if (json.length() > CHARS_MAX) {
      throw new IllegalArgumentException(
          "ack: expected at most " + CHARS_MAX + " characters, but got " + json.length());
    }
    Map<String, @Nullable String> fields = new TaskAckJson(json).object();
    String error = fields.get("error");
    TaskStatus status = status(required(fields, "status"));
    try {
      return new TaskAck(
          UUID.fromString(required(fields, "taskId")),
          status,
          required(fields, "deviceId"),
          Instant.parse(required(fields, "timestamp")),
          error == null && status == TaskStatus.FAILED ? "" : error);
    } catch (DateTimeParseException wrong) {
      throw new IllegalArgumentException(
          "timestamp: expected a time such as 2026-01-01T00:00:00Z, but got "
              + fields.get("timestamp"),
          wrong);
    }
  }

  private static String required(Map<String, @Nullable String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + ": expected a text, but there is none");
    }
    return value;
  }

  private static TaskStatus status(String word) {
    try {
      return TaskStatus.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException unknown) {
      throw new IllegalArgumentException(
          "status: expected Running, Complete or Failed, but got " + word, unknown);
    }
  }

  private Map<String, @Nullable String> object() {
    Map<String, @Nullable String> fields = new LinkedHashMap<>();
    expect('{');
    if (peek() != '}') {
      do {
        String name = text();
        expect(':');
        if (fields.put(name, peek() == 'n' ? nothing() : text()) != null) {
          throw wrong("each name once, but " + name + " is there twice");
        }
      } while (skip(','));
    }
    expect('}');
    if (peek() != 0) {
      throw wrong("the end");
    }
    return fields;
  }

  private @Nullable String nothing() {
    if (!json.startsWith("null", at)) {
      throw wrong("a text or null");
    }
    at += 4;
    return null;
  }

  private String text() {
    expect('"');
    StringBuilder out = new StringBuilder();
    while (at < json.length() && json.charAt(at) != '"') {
      char c = json.charAt(at++);
      out.append(c == '\\' ? escaped() : c);
    }
    if (at == json.length()) {
      throw wrong("the end of a text");
    }
    at++;
    return out.toString();
  }

  private char escaped() {
    char c = at < json.length() ? json.charAt(at++) : 0;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw wrong("an escape");
    };
  }

  private char unicode() {
    int code = 0;
    for (int i = 0; i < 4; i++) {
      int digit = at < json.length() ? Character.digit(json.charAt(at++), 16) : -1;
      if (digit < 0) {
        throw wrong("four hexadecimal digits");
      }
      code = code * 16 + digit;
    }
    return (char) code;
  }

  /** The next character that is not a blank; 0 at the end. */
  private char peek() {
    while (at < json.length() && " \t\r\n".indexOf(json.charAt(at)) >= 0) {
      at++;
    }
    return at < json.length() ? json.charAt(at) : 0;
  }

  private boolean skip(char c) {
    boolean there = peek() == c;
    at += there ? 1 : 0;
    return there;
  }

  private void expect(char c) {
    if (!skip(c)) {
      throw wrong("'" + c + "'");
    }
  }

  private IllegalArgumentException wrong(String expected) {
    return new IllegalArgumentException(
        "ack: expected " + expected + " at character " + at + " of its JSON");
  }
}
