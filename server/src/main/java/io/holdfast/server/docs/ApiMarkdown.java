package io.holdfast.server.docs;

import io.holdfast.server.http.Route;
import io.holdfast.server.http.Shape;
import java.util.List;

/** The list of routes as a page of the documentation, {@code docs/http-api.md}. */
public final class ApiMarkdown {
  private final StringBuilder text = new StringBuilder();

  private ApiMarkdown() {}

  public static String of(List<Route> routes) {
    return new ApiMarkdown().page(routes);
  }

  private String page(List<Route> routes) {
    text.append(
        """
        # HTTP interface

        <!-- Written by `./holdfast docs` from the list of routes. Change the routes, not this page. -->

        A running server shows this page at `/docs`, and tells it to programs at `/openapi.json`.
        Unknown fields and parameters are refused. Names in a path are percent-encoded. Access says what
        the caller must be allowed to, and in brackets the roles that are. A server with tokens expects
        one in each call that is not public: `-H "Authorization: Bearer $HOLDFAST_TOKEN"`.
        [security.md](security.md) tells of both.
        """);
    RouteNames.byTopic(routes).forEach(this::topic);
    text.append("\n## Problems\n\nEvery problem is an object.\n");
    table("", FieldRow.ofAnswer(OpenApi.PROBLEM));
    text.append('\n');
    for (Trouble trouble : Trouble.ALL) {
      text.append("- `").append(trouble.status()).append("` ").append(trouble.when()).append('\n');
    }
    text.append(
        "\nA path that is not here is answered 404, a method that a path does not have 405.\n");
    return text.toString();
  }

  private void topic(String topic, List<Route> routes) {
    text.append("\n## ").append(topic).append('\n');
    routes.forEach(this::route);
  }

  private void route(Route route) {
    text.append("\n### `").append(route.method()).append(' ').append(route.path()).append("`\n\n");
    text.append(route.summary()).append(". Access: ").append(RouteNames.accessAndRoles(route));
    text.append(".\n\n```sh\n").append(Examples.curl(route)).append("\n```\n");
    if (!route.params().isEmpty()) {
      text.append("\nParameters:\n");
      table("default", FieldRow.ofQuery(route));
    }
    Shape body = route.body();
    if (body != null) {
      text.append("\nBody: ").append(FieldRow.type(body));
      text.append(route.bodyOptional() ? ", optional.\n" : ".\n");
      table("", FieldRow.ofBody(body));
    }
    route.answers().forEach(this::answer);
  }

  private void answer(Route.Outcome answer) {
    text.append("\nAnswer `").append(answer.status()).append("`: ").append(answer.when());
    Shape shape = answer.shape();
    text.append(shape == null ? ".\n" : ". Body: " + FieldRow.type(shape) + ".\n");
    if (shape != null) {
      table("", FieldRow.ofAnswer(shape));
    }
  }

  private void table(String third, List<FieldRow> rows) {
    if (rows.isEmpty()) {
      return;
    }
    text.append("\n| name | type | ").append(third).append(third.isEmpty() ? "| " : " | ");
    text.append("meaning |\n| --- | --- | --- | --- |\n");
    for (FieldRow row : rows) {
      text.append("| `").append(row.name()).append("` | ").append(cell(row.type())).append(" | ");
      text.append(row.need().isEmpty() ? "" : cell(row.need()) + " ");
      text.append("| ").append(cell(row.explanation())).append(" |\n");
    }
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;").replace("__", "\\_\\_");
  }
}
