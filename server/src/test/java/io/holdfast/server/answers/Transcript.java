package io.holdfast.server.answers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of requests with the answers that were recorded.
 *
 * <p>Steps are separated by empty lines. A step is a request line, optional settings, an optional
 * body, and the answer behind {@code >}; or settings alone. Lines with {@code #} are comments.
 *
 * <pre>
 * GET /api/v1/pop/queue/orders       the method and the path; ${name} stands for a value that was kept
 * ! advance 301                      move the clock, in seconds, before the request
 * ! no token                         send no token; or: token ${name}, type text/plain, checkpoints
 * ! any bytes uptimeSeconds          do not compare the values of these fields; * is the whole body
 * $ lease = /leaseId                 keep a value of the answer under a name
 * $ token ~ /token                   the same, and show the name in its place
 * {"a":1}                            the body
 * &gt; 200 application/json
 * &gt; {"a":1}
 * </pre>
 */
final class Transcript {
  static final String ANSWER = ">";
  static final String SETTING = "! ";
  static final String KEEP = "$ ";

  private static final String COMMENT = "#";

  /** The lines of a step, without those of the answer. */
  record Step(List<String> lines) {
    /** The request line; empty if there are only settings. */
    String request() {
      return lines.stream().filter(line -> line.matches("[A-Z]+ /.*")).findFirst().orElse("");
    }

    String method() {
      return request().substring(0, request().indexOf(' '));
    }

    String path() {
      return request().substring(request().indexOf(' ') + 1);
    }

    String body() {
      return String.join(
          "\n",
          lines.stream()
              .filter(line -> !line.startsWith(COMMENT))
              .filter(line -> !line.startsWith(SETTING))
              .filter(line -> !line.startsWith(KEEP))
              .filter(line -> !line.equals(request()))
              .toList());
    }

    List<String> settings(String name) {
      String start = SETTING + name + " ";
      return lines.stream()
          .filter(line -> (line + " ").startsWith(start))
          .map(line -> line.substring(Math.min(line.length(), start.length())))
          .toList();
    }

    List<String> kept() {
      return lines.stream()
          .filter(line -> line.startsWith(KEEP))
          .map(line -> line.substring(KEEP.length()))
          .toList();
    }
  }

  private Transcript() {}

  static List<Step> read(Path file) {
    List<Step> steps = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (String line : text(file).lines().toList()) {
      if (!line.isEmpty() && !line.startsWith(ANSWER)) {
        lines.add(line);
      } else if (line.isEmpty() && !lines.isEmpty()) {
        steps.add(new Step(List.copyOf(lines)));
        lines.clear();
      }
    }
    if (!lines.isEmpty()) {
      steps.add(new Step(List.copyOf(lines)));
    }
    return steps;
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException full) {
      throw new UncheckedIOException(full);
    }
  }
}
