package io.holdfast.server.docs;

import io.holdfast.json.Schema;
import io.holdfast.server.http.Route;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The list of routes as a page for people. It needs no script, and nothing from elsewhere. */
final class DocsPage {
  private static final int CAPACITY = 256 * 1024;

  private final StringBuilder html = new StringBuilder(CAPACITY);

  private DocsPage() {}

  static byte[] of(List<Route> routes) {
    return new DocsPage().page(routes).getBytes(StandardCharsets.UTF_8);
  }

  private String page(List<Route> routes) {
    Map<String, List<Route>> topics = RouteNames.byTopic(routes);
    html.append(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Holdfast: HTTP interface</title>
        <link rel="stylesheet" href="/docs/style.css">
        </head>
        <body>
        <header>
        <h1>Holdfast: HTTP interface</h1>
        <p>For programs: <a href="/openapi.json">openapi.json</a>. Unknown fields and parameters are
        refused. Names in a path are percent-encoded. Access says what the caller must be allowed
        to, and in brackets the roles that are; a server with tokens expects one in the header
        <code>Authorization: Bearer</code>. An answer that can be opened shows its fields.</p>
        </header>
        <nav aria-label="Topics"><ul>
        """);
    for (String topic : topics.keySet()) {
      add("<li><a href=\"#%s\">%s</a></li>\n", anchor(topic), topic);
    }
    add("<li><a href=\"#problems\">Problems</a></li>\n</ul></nav>\n<main>\n");
    topics.forEach(this::topic);
    troubles();
    return html.append("</main>\n</body>\n</html>\n").toString();
  }

  /** Adds markup, with texts in it as they are to be seen. */
  private void add(String markup, String... texts) {
    html.append(markup.formatted(Stream.of(texts).map(DocsPage::escaped).toArray()));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  private static String anchor(String topic) {
    return "topic-" + topic.replaceAll("[^A-Za-z0-9]+", "-");
  }

  private void topic(String topic, List<Route> routes) {
    add("<section id=\"%s\">\n<h2>%s</h2>\n<ul class=\"routes\">\n", anchor(topic), topic);
    for (Route route : routes) {
      add("<li><a href=\"#%s\">", RouteNames.operationId(route));
      name(route);
      add("</a> %s</li>\n", route.summary());
    }
    add("</ul>\n");
    routes.forEach(this::route);
    add("</section>\n");
  }

  private void route(Route route) {
    String id = RouteNames.operationId(route);
    add("<article id=\"%s\">\n<h3><a href=\"#%s\">", id, id);
    name(route);
    add(
        "</a></h3>\n<p>%s. <small>Access: %s%s</small></p>\n",
        route.summary(),
        RouteNames.accessAndRoles(route),
        route.tolerant() ? ". " + RouteNames.TOLERANT : "");
    table("Parameters", "Default", FieldRow.ofQuery(route));
    Schema body = route.body();
    if (body != null) {
      String heading = "Body: " + FieldRow.type(body) + (route.bodyOptional() ? ", optional" : "");
      table(heading, "Needed", FieldRow.ofBody(body));
    }
    route.answers().forEach(this::answer);
    add("<pre><code>%s</code></pre>\n</article>\n", Examples.curl(route));
  }

  private void name(Route route) {
    String method = route.method().name();
    add(
        "<code><b class=\"%s\">%s</b> %s</code>",
        method.toLowerCase(Locale.ROOT), method, route.path());
  }

  private void answer(Route.Outcome answer) {
    Schema schema = answer.schema();
    List<FieldRow> rows = schema == null ? List.of() : FieldRow.ofAnswer(schema);
    add(rows.isEmpty() ? "<p class=\"answer\">" : "<details><summary>");
    add("<b>%s</b> %s", Integer.toString(answer.status()), answer.when());
    if (schema != null) {
      add(" <small>%s</small>", FieldRow.type(schema));
    }
    add(rows.isEmpty() ? "</p>\n" : "</summary>\n");
    if (!rows.isEmpty()) {
      table("", "There", rows);
      add("</details>\n");
    }
  }

  private void table(String heading, String third, List<FieldRow> rows) {
    if (!heading.isEmpty() && (!rows.isEmpty() || !third.equals("Default"))) {
      add("<h4>%s</h4>\n", heading);
    }
    if (rows.isEmpty()) {
      return;
    }
    add("<table>\n<thead><tr><th>Name</th><th>Type</th><th>%s</th>", third);
    add("<th>Meaning</th></tr></thead>\n<tbody>\n");
    for (FieldRow row : rows) {
      // Where the screen is narrow there are no headings.
      boolean byDefault = third.equals("Default") && !row.need().isEmpty();
      add("<tr><td><code>%s</code></td><td>%s</td>", row.name(), row.type());
      add(byDefault ? "<td class=\"default\">" : "<td>");
      add("%s</td><td>%s</td></tr>\n", row.need(), row.explanation());
    }
    add("</tbody>\n</table>\n");
  }

  private void troubles() {
    add("<section id=\"problems\">\n<h2>Problems</h2>\n");
    table("Every problem is an object", "There", FieldRow.ofAnswer(OpenApi.PROBLEM));
    for (Trouble trouble : Trouble.ALL) {
      String status = Integer.toString(trouble.status());
      add("<p class=\"answer\"><b>%s</b> %s</p>\n", status, trouble.when());
    }
    add("</section>\n");
  }
}
