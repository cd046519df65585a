package io.holdfast.server.docs;

import io.holdfast.json.Schema;
import io.holdfast.server.http.Route;
import java.util.List;

/** The list of routes as a page of the documentation, {@code docs/http-api.md}. */
final class ApiMarkdown {
  private final StringBuilder text = new StringBuilder();

  private ApiMarkdown() {}

  static String of(List<Route> routes) {
    return new ApiMarkdown().page(routes);
  }

  private String page(List<Route> routes) {
    text.append(
        """
        # HTTP interface

        <!-- Written by `./holdfast docs` from the list of routes. Change the routes, not this page. -->

        A running server shows this page at `/docs`, and tells it to programs at `/openapi.json`.
        Unknown fields and parameters are refused, except on routes that Queen's clients call, which say
        so: there they are ignored, counted in the metric `holdfast_http_ignored_names_total`, listed in
        the header `Holdfast-Ignored` of the answer, and logged once per name. A name that differs by
        one character from one that the route has is refused there too. Names in a path are
        percent-encoded. Access says what the caller must be allowed to, and in brackets the roles that
        are. A server with tokens expects one in each call that is not public:
        `-H "Authorization: Bearer $HOLDFAST_TOKEN"`. [security.md](security.md) tells of both.

        A request that changes something may have the header `Idempotency-Key`: 1 to 200 visible ASCII
        characters, unique for one caller, method and path. A repeat with the same key and content within
        ten minutes is not executed again: it gets the first answer. Of pushes, commits and transactions
        the key is the `requestId`, of pops that grant a lease the `attemptId`, and the broker keeps them
        through a restart. Of all others the server keeps the answer in memory, with the header
        `Idempotency-Replayed` in a repeat; only what was done is kept, an error is not. There the same
        key with other content is answered 409.

        A body that is JSON has the Content-Type `application/json` or another that ends with `+json`;
        one without a type, or with the type that `curl -d` sends, is read as JSON too. Others are answered
        415, except on routes of Queen's clients. Answers of reading routes that are 8 KiB or larger are
        compressed for clients that send `Accept-Encoding: gzip`. Lists of several pages have `limit` and
        `after`, which is the `next` of the page before.

        A request may have an id in the header `X-Request-Id`: up to 64 letters, digits, dots, hyphens and
        underscores. It is in the error, in the header of that answer, and in lines of the log and of the
        audit log; without one the server makes an id.
        """);
    RouteNames.byTopic(routes).forEach(this::topic);
    text.append(
        "\n## Problems\n\nEvery problem is an object of the type `application/problem+json`"
            + " (RFC 9457); routes of Queen's clients answer the same object as `application/json`,"
            + " and the priority queue has objects of its own.\n");
    table("", FieldRow.ofAnswer(OpenApi.PROBLEM));
    text.append('\n');
    for (Trouble trouble : Trouble.ALL) {
      text.append("- `").append(trouble.status()).append("` ").append(trouble.when()).append('\n');
    }
    text.append(
        "\nA path that is not here is answered 404, a method that a path does not have 405; its"
            + " header `Allow` lists those it has.\n");
    return text.toString();
  }

  private void topic(String topic, List<Route> routes) {
    text.append("\n## ").append(topic).append('\n');
    routes.forEach(this::route);
  }

  private void route(Route route) {
    text.append("\n### `").append(route.method()).append(' ').append(route.path()).append("`\n\n");
    text.append(route.summary()).append(". Access: ").append(RouteNames.accessAndRoles(route));
    text.append(route.tolerant() ? ". " + RouteNames.TOLERANT : ".");
    text.append("\n\n```sh\n").append(Examples.curl(route)).append("\n```\n");
    if (route.params().size() > 0) {
      text.append("\nParameters:\n");
      table("default", FieldRow.ofQuery(route));
    }
    Schema body = route.body();
    if (body != null) {
      text.append("\nBody: ").append(FieldRow.type(body));
      text.append(route.bodyOptional() ? ", optional.\n" : ".\n");
      table("", FieldRow.ofBody(body));
    }
    route.answers().forEach(this::answer);
  }

  private void answer(Route.Outcome answer) {
    text.append("\nAnswer `").append(answer.status()).append("`: ").append(answer.when());
    Schema schema = answer.schema();
    text.append(schema == null ? ".\n" : ". Body: " + FieldRow.type(schema) + ".\n");
    if (schema != null) {
      table("", FieldRow.ofAnswer(schema));
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
