package io.holdfast.server.docs;

import io.holdfast.json.Schema;
import io.holdfast.server.http.Access;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Call;
import io.holdfast.server.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells what routes there are, to programs and to people. */
public final class DocsRoutes {
  private static final String TOPIC = "Description";
  private static final String HTML = "text/html; charset=utf-8";
  private static final String CSS = "text/css; charset=utf-8";
  private static final String POLICY =
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors"
          + " 'none'";

  /** Bytes that are made when they are first asked for: the first push must not wait for them. */
  private static final class Made {
    private final Supplier<byte[]> making;
    private byte @Nullable [] bytes;

    private Made(Supplier<byte[]> making) {
      this.making = making;
    }

    private synchronized byte[] bytes() {
      byte[] made = bytes;
      if (made == null) {
        made = making.get();
        bytes = made;
      }
      return made;
    }
  }

  private final List<Route> routes;
  private final Made openApi;
  private final Made page;
  private final Made style = new Made(() -> read("style.css"));

  /**
   * @param others all routes but these
   */
  public DocsRoutes(List<Route> others) {
    routes =
        List.of(
            Route.get(
                    "/openapi.json",
                    Access.PUBLIC,
                    TOPIC,
                    "All routes as an OpenAPI 3.1 document",
                    this::openApi)
                .answers(200, "the document", Schema.OBJECT),
            Route.get("/docs", Access.PUBLIC, TOPIC, "All routes as a page to read", this::page)
                .answers(200, "the page", Schema.document(HTML)),
            Route.get("/docs/style.css", Access.PUBLIC, TOPIC, "How that page looks", this::style)
                .answers(200, "the style", Schema.document(CSS)));
    List<Route> all = new ArrayList<>(others);
    all.addAll(routes);
    openApi = new Made(() -> OpenApi.of(all));
    page = new Made(() -> DocsPage.of(all));
  }

  public List<Route> routes() {
    return routes;
  }

  private static byte[] read(String name) {
    try (InputStream in = DocsRoutes.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + name + " is missing");
      }
      return in.readAllBytes();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private Answer openApi(Call call) {
    return Answer.text(Answer.JSON, openApi.bytes());
  }

  private Answer page(Call call) {
    return Answer.text(HTML, page.bytes()).header("Content-Security-Policy", POLICY);
  }

  private Answer style(Call call) {
    return Answer.text(CSS, style.bytes());
  }
}
