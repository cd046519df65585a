package io.holdfast.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What a bench prints: figures to one writer, as a table or as lines of JSON, and progress to
 * another. Aims stand below the table; with JSON they go where progress goes.
 *
 * <p>Thread: the one that runs the bench.
 */
public final class Report {
  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;
  private final List<Figure> figures = new ArrayList<>();
  private final List<Aim> aims = new ArrayList<>();

  public Report(PrintWriter out, PrintWriter err, boolean json) {
    this.out = out;
    this.err = err;
    this.json = json;
  }

  /**
   * Checks which figures are asked for.
   *
   * @throws IllegalArgumentException if one of them does not exist
   */
  public static void expectKnown(Set<String> only, List<String> names) {
    for (String name : only) {
      if (!names.contains(name)) {
        throw new IllegalArgumentException("only: expected some of " + names + ", but got " + name);
      }
    }
  }

  /** Says what is going on. */
  public void progress(String line) {
    err.println(line);
    err.flush();
  }

  public void add(Figure figure) {
    figures.add(figure);
    if (json) {
      out.println(figure.json());
      out.flush();
    }
  }

  /**
   * Prints a table of Markdown; with JSON nothing, because the figures are printed there.
   *
   * @param rows the cells of each row, those of the heading first
   */
  public void table(String title, List<List<String>> rows) {
    if (json) {
      return;
    }
    out.println();
    out.println("### " + title);
    out.println();
    out.println(row(rows.getFirst()));
    out.println("| --- ".repeat(rows.getFirst().size()) + "|");
    rows.stream().skip(1).map(Report::row).forEach(out::println);
    out.flush();
  }

  private static String row(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |";
  }

  /** Prints a line below tables, or where progress goes with JSON. */
  public void remark(String line) {
    PrintWriter writer = json ? err : out;
    writer.println(line);
    writer.flush();
  }

  public void add(Aim aim) {
    aims.add(aim);
  }

  /** Prints what is to be printed at the end. */
  public void finish() {
    if (!json) {
      printTable();
    }
    PrintWriter writer = json ? err : out;
    if (!aims.isEmpty()) {
      writer.println();
      aims.forEach(aim -> writer.println(aim.line()));
    }
    writer.flush();
  }

  private void printTable() {
    out.printf(Locale.ROOT, "%-26s %16s  %-14s %8s%n", "bench", "rate", "unit", "ratio");
    for (Figure figure : figures) {
      String ratio =
          figure.ratio() == null ? "" : String.format(Locale.ROOT, "%.2f", figure.ratio());
      String row =
          String.format(
              Locale.ROOT,
              figure.rate() < 1000 ? "%-26s %,16.2f  %-14s %8s" : "%-26s %,16.0f  %-14s %8s",
              figure.bench(),
              figure.rate(),
              figure.unit(),
              ratio);
      String durability = figure.durability() == null ? "" : figure.durability();
      StringBuilder note = new StringBuilder(figure.note() == null ? "" : figure.note());
      figure
          .more()
          .forEach(
              (name, value) ->
                  note.append(note.isEmpty() ? "" : ", ")
                      .append(String.format(Locale.ROOT, "%s %.2f", name, value)));
      out.println(
          String.format(Locale.ROOT, "%s  %-5s  %s", row, durability, note).stripTrailing());
    }
    out.flush();
  }
}
