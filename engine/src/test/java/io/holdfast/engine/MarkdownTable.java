package io.holdfast.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The rows of a table of a document, so that tests can compare it with the code. */
final class MarkdownTable {
  private MarkdownTable() {}

  /** The cells of the first table below a heading, without its two head rows and without ticks. */
  static List<List<String>> below(Path document, String heading) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    boolean below = false;
    for (String line : Files.readAllLines(document)) {
      if (!below) {
        below = line.equals(heading);
      } else if (line.startsWith("|")) {
        String inner = line.substring(1, line.lastIndexOf('|')).replace("`", "");
        rows.add(List.of(inner.split("\\|", -1)).stream().map(String::strip).toList());
      } else if (!rows.isEmpty()) {
        break;
      }
    }
    return rows.size() < 2 ? rows : rows.subList(2, rows.size());
  }
}
