package io.holdfast.cli.output;

import io.holdfast.api.Page;
import io.holdfast.cli.terminal.Style;
import io.holdfast.cli.terminal.Text;
import io.holdfast.cli.terminal.TextTable;
import io.holdfast.json.JsonOut;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The result of a command, as JSON for programs and as text for people, and its exit code. */
public record CommandOutput(Supplier<JsonOut> json, Supplier<Text> text, int exit) {
  public static CommandOutput of(Supplier<JsonOut> json, Supplier<Text> text) {
    return new CommandOutput(json, text, ExitCodes.DONE);
  }

  /** One line of text, and JSON of a few fields. */
  public static CommandOutput line(String text, Function<JsonOut, JsonOut> fields) {
    return of(
        () -> fields.apply(new JsonOut().beginObject()).endObject(), () -> new Text().line(text));
  }

  /**
   * A page of a list.
   *
   * @param name the name of the JSON array
   * @param none the text if the page is empty
   */
  public static <T> CommandOutput page(
      String name,
      Page<T> page,
      BiConsumer<JsonOut, T> json,
      String none,
      Function<List<T>, TextTable> table) {
    return of(
        () ->
            array(new JsonOut().beginObject(), name, page.items(), json)
                .put("next", page.next())
                .endObject(),
        () ->
            page.items().isEmpty()
                ? new Text().line(none)
                : next(new Text().table(table.apply(page.items())), page.next()));
  }

  /** Writes an array of objects, each by a function. */
  public static <T> JsonOut array(
      JsonOut out, String name, Iterable<T> items, BiConsumer<JsonOut, T> json) {
    out.beginArray(name);
    items.forEach(item -> json.accept(out, item));
    return out.endArray();
  }

  /** Adds how to get the next page, if there is one. */
  public static Text next(Text text, @Nullable String cursor) {
    return cursor == null ? text : text.line(Style.DIM.of("more: --after '" + cursor + "'"));
  }

  public CommandOutput exit(int code) {
    return new CommandOutput(json, text, code);
  }
}
