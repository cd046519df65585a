package io.holdfast.server.docs;

import io.holdfast.json.Schema;
import io.holdfast.server.http.Route;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
      html.append("<li><a href=\"#").append(anchor(topic)).append("\">");
      text(topic).append("</a></li>\n");
    }
    html.append("<li><a href=\"#problems\">Problems</a></li>\n</ul></nav>\n<main>\n");
    topics.forEach(this::topic);
    troubles();
    return html.append("</main>\n</body>\n</html>\n").toString();
  }

  private static String anchor(String topic) {
    return "topic-" + topic.replaceAll("[^A-Za-z0-9]+", "-");
  }

  private void topic(String topic, List<Route> routes) {
    html.append("<section id=\"").append(anchor(topic)).append("\">\n<h2>");
    text(topic).append("</h2>\n<ul class=\"routes\">\n");
    for (Route route : routes) {
      html.append("<li><a href=\"#").append(RouteNames.operationId(route)).append("\">");
      name(route);
      html.append("</a> ");
      text(route.summary()).append("</li>\n");
    }
    html.append("</ul>\n");
    routes.forEach(this::route);
    html.append("</section>\n");
  }

  private void route(Route route) {
    String id = RouteNames.operationId(route);
    html.append("<article id=\"").append(id).append("\">\n<h3><a href=\"#").append(id);
    html.append("\">");
    name(route);
    html.append("</a></h3>\n<p>");
    text(route.summary()).append(". <small>Access: ");
    text(RouteNames.accessAndRoles(route)).append(route.tolerant() ? ". " : "");
    text(route.tolerant() ? RouteNames.TOLERANT : "").append("</small></p>\n");
    table("Parameters", "Default", FieldRow.ofQuery(route));
    Schema body = route.body();
    if (body != null) {
      String heading = "Body: " + FieldRow.type(body) + (route.bodyOptional() ? ", optional" : "");
      table(heading, "Needed", FieldRow.ofBody(body));
    }
    route.answers().forEach(this::answer);
    html.append("<pre><code>");
    text(Examples.curl(route)).append("</code></pre>\n</article>\n");
  }

  private void name(Route route) {
    String method = route.method().name();
    html.append("<code><b class=\"").append(method.toLowerCase(Locale.ROOT)).append("\">");
    html.append(method).append("</b> ");
    text(route.path()).append("</code>");
  }

  private void answer(Route.Outcome answer) {
    Schema schema = answer.schema();
    List<FieldRow> rows = schema == null ? List.of() : FieldRow.ofAnswer(schema);
    html.append(rows.isEmpty() ? "<p class=\"answer\">" : "<details><summary>");
    html.append("<b>").append(answer.status()).append("</b> ");
    text(answer.when());
    if (schema != null) {
      html.append(" <small>");
      text(FieldRow.type(schema)).append("</small>");
    }
    html.append(rows.isEmpty() ? "</p>\n" : "</summary>\n");
    if (!rows.isEmpty()) {
      table("", "There", rows);
      html.append("</details>\n");
    }
  }

  private void table(String heading, String third, List<FieldRow> rows) {
    if (!heading.isEmpty() && (!rows.isEmpty() || !third.equals("Default"))) {
      html.append("<h4>");
      text(heading).append("</h4>\n");
    }
    if (rows.isEmpty()) {
      return;
    }
    html.append("<table>\n<thead><tr><th>Name</th><th>Type</th><th>");
    text(third).append("</th><th>Meaning</th></tr></thead>\n<tbody>\n");
    for (FieldRow row : rows) {
      html.append("<tr><td><code>");
      text(row.name()).append("</code></td><td>");
      text(row.type());
      // Where the screen is narrow there are no headings.
      boolean byDefault = third.equals("Default") && !row.need().isEmpty();
      html.append(byDefault ? "</td><td class=\"default\">" : "</td><td>");
      text(row.need()).append("</td><td>");
      text(row.explanation()).append("</td></tr>\n");
    }
    html.append("</tbody>\n</table>\n");
  }

  private void troubles() {
    html.append("<section id=\"problems\">\n<h2>Problems</h2>\n");
    table("Every problem is an object", "There", FieldRow.ofAnswer(OpenApi.PROBLEM));
    for (Trouble trouble : Trouble.ALL) {
      html.append("<p class=\"answer\"><b>").append(trouble.status()).append("</b> ");
      text(trouble.when()).append("</p>\n");
    }
    html.append("</section>\n");
  }

  /** Text as it is to be seen. */
  private StringBuilder text(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> html.append("&lt;");
        case '>' -> html.append("&gt;");
        case '&' -> html.append("&amp;");
        case '"' -> html.append("&quot;");
        case '\'' -> html.append("&#39;");
        default -> html.append(c);
      }
    }
    return html;
  }
}
