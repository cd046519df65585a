package io.holdfast.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.HttpException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.holdfast.api.InvalidArgumentException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes requests to their routes, and answers back.
 *
 * <p>Thread: each call runs in a virtual thread of its own.
 */
public final class Dispatcher implements Handler {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
  private static final byte[] NO_BODY = {};
  private static final HeaderName FORWARDED_FOR = HeaderNames.create("X-Forwarded-For");
  private static final HeaderName FORWARDED_PROTO = HeaderNames.create("X-Forwarded-Proto");

  private final Router router;
  private final Guard guard;
  private final Door door;
  private final BodyReader bodies;
  private final Observer observer;
  private final Traffic traffic;
  private final Room room;
  private final TrustedProxies proxies;

  public Dispatcher(
      Router router,
      Guard guard,
      Door door,
      int bodyBytesMax,
      TrustedProxies proxies,
      Observer observer,
      Traffic traffic) {
    this.router = router;
    this.guard = guard;
    this.door = door;
    this.bodies = new BodyReader(bodyBytesMax);
    this.proxies = proxies;
    this.observer = observer;
    this.traffic = traffic;
    this.room = Room.forBodies(bodyBytesMax);
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    Peer peer = Peer.CURRENT.get();
    traffic.begin();
    try (Room.Share share = room.share()) {
      handle(request, response, peer, share);
    } finally {
      traffic.end();
    }
  }

  private void handle(ServerRequest request, ServerResponse response, Peer peer, Room.Share share) {
    long begun = System.nanoTime();
    Route route = null;
    Pass pass = Pass.NOBODY;
    Answer answer;
    try {
      guard.check(request);
      Router.Found found =
          router.find(request.prologue().method().text(), request.prologue().uriPath().rawPath());
      route = found.route();
      Shown shown = Shown.of(request, isSecure(request, peer));
      guard.checkSite(request, route);
      guard.checkNavigation(request, route);
      guard.checkSession(request, route, shown);
      pass = door.admit(route, shown, client(request, peer));
      answer = admitted(found, request, new Asker(peer, pass), share);
    } catch (Problem problem) {
      answer = problem.answer();
    } catch (InvalidArgumentException refused) {
      answer = Problem.argument("", refused).answer();
    } catch (UncheckedIOException | CloseConnectionException | HttpException gone) {
      throw gone;
    } catch (RuntimeException | Error unexpected) {
      LOG.error("Request to {} failed", route == null ? "no route" : route.path(), unexpected);
      answer = Problem.of(500, "INTERNAL", "internal error; see the server log").answer();
    }
    if (peer.isGone()) {
      // The write might succeed all the same, and what was leased would wait for its expiry.
      undo(answer.ifUnsent());
      throw new CloseConnectionException("the client is gone");
    }
    answer = fitting(route, answer, share);
    boolean last = isLast(request);
    if (isKnown(request, answer)) {
      answer = answer.unchanged();
    }
    if (answer.streaming() == null) {
      send(request, response, answer, last);
      observer.answered(route, answer.status(), System.nanoTime() - begun);
    } else {
      // How long it is listened to says nothing about us.
      observer.answered(route, answer.status(), System.nanoTime() - begun);
      send(request, response, answer, last);
      if (isHead(request)) {
        undo(answer.ifUnsent());
      } else {
        stream(response, answer.streaming(), new Asker(peer, pass));
      }
    }
    if (last) {
      // The web server would take what comes next for another request, though it said close.
      throw new CloseConnectionException("the connection ends with this answer");
    }
  }

  /**
   * The answer if there is room for it, else that there is none.
   *
   * <p>Who is told to try again does it again: so what was done, and cannot be undone, is told even
   * if there is no room.
   */
  private static Answer fitting(@Nullable Route route, Answer answer, Room.Share share) {
    if (answer.body().length <= Room.SMALL_BYTES) {
      return answer;
    }
    if (route != null && !route.onlyLooks() && !answer.undone()) {
      share.overdraw(answer.body().length);
      return answer;
    }
    try {
      share.take(answer.body().length);
      return answer;
    } catch (Problem full) {
      undo(answer.ifUnsent());
      return full.answer();
    }
  }

  /** The address that a request comes from; behind a trusted proxy, the one that it tells. */
  private @Nullable SocketAddress client(ServerRequest request, Peer peer) {
    return proxies.client(peer.address(), request.headers().values(FORWARDED_FOR));
  }

  /** Whether the client, or a trusted proxy for it, speaks TLS. */
  private boolean isSecure(ServerRequest request, Peer peer) {
    return request.isSecure()
        || (proxies.trusts(peer.address())
            && String.join(",", request.headers().values(FORWARDED_PROTO))
                .replaceFirst(".*,", "")
                .strip()
                .equalsIgnoreCase("https"));
  }

  /** Whether the client says that it has this very answer. */
  private static boolean isKnown(ServerRequest request, Answer answer) {
    String tag = answer.headers().get("ETag");
    return tag != null
        && answer.status() == 200
        && request.headers().values(HeaderNames.IF_NONE_MATCH).stream()
            .flatMap(tags -> Stream.of(tags.split(",")))
            .anyMatch(known -> known.strip().equals(tag));
  }

  /** Whether the connection ends with an answer. */
  private boolean isLast(ServerRequest request) {
    return traffic.isDraining()
        || request.headers().containsToken(HeaderValues.CONNECTION_CLOSE)
        || isUnasked(request)
        || isUnread(request);
  }

  /**
   * Whether the client was not told to send its body: it may do so or not, and nobody could tell
   * what comes next from another request.
   */
  private static boolean isUnasked(ServerRequest request) {
    return !request.continueSent() && request.content().hasEntity();
  }

  /** Whether more of a request was left than it is worth to read. */
  private boolean isUnread(ServerRequest request) {
    return request.content().hasEntity()
        && !request.content().consumed()
        && request.headers().contentLength().orElse(Long.MAX_VALUE) > bodies.worthReading();
  }

  /** Answers whoever is let in; also what is undone of the answer is done in their name. */
  private Answer admitted(
      Router.Found found, ServerRequest request, Asker asker, Room.Share share) {
    return asker.pass().as(() -> answer(found, request, asker, share)).undoing(asker::does);
  }

  /** Who asks, and what lets them. */
  private record Asker(Peer peer, Pass pass) {
    /** Does something in their name. */
    void does(Runnable act) {
      pass.as(
          () -> {
            act.run();
            return true;
          });
    }
  }

  private Answer answer(Router.Found found, ServerRequest request, Asker asker, Room.Share share) {
    if (traffic.isDraining() && found.route().access() != Access.PUBLIC) {
      throw Problem.of(503, "CLOSED", "the broker is shutting down; ask again in a moment");
    }
    Query query = Query.of(request.prologue().query().rawValue(), found.route().params());
    if (found.route().body() instanceof Shape.Document document) {
      expectType(request, document.contentType());
    }
    byte[] body = bodies.read(request, found.route(), share);
    return found
        .route()
        .action()
        .answer(
            new Call(
                found.route(),
                found.parts(),
                query,
                body,
                asker.peer(),
                asker.pass(),
                Shown.of(request, isSecure(request, asker.peer()))));
  }

  private static void expectType(ServerRequest request, String expected) {
    String type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse(null);
    if (!expected.equals(type)) {
      throw Problem.of(
          415,
          "WRONG_TYPE",
          "the Content-Type: expected "
              + expected
              + (type == null ? ", but there is none" : ", but got another"));
    }
  }

  private void send(ServerRequest request, ServerResponse response, Answer answer, boolean last) {
    try {
      response.status(answer.status());
      response.header(HeaderNames.CACHE_CONTROL, "no-store");
      response.header("X-Content-Type-Options", "nosniff");
      answer.headers().forEach(response::header);
      if (last) {
        response.header(HeaderValues.CONNECTION_CLOSE);
      }
      String type = answer.contentType();
      if (type == null) {
        response.send();
        return;
      }
      response.header(HeaderNames.CONTENT_TYPE, type);
      if (isHead(request)) {
        response.send(NO_BODY);
      } else if (answer.streaming() == null) {
        response.send(answer.body());
      }
    } catch (RuntimeException unsent) {
      undo(answer.ifUnsent());
      throw unsent;
    }
  }

  private static boolean isHead(ServerRequest request) {
    return request.prologue().method().text().equals("HEAD");
  }

  private static void stream(ServerResponse response, Streaming body, Asker asker) {
    Outlet out = new Outlet(response.outputStream(), asker.peer(), asker.pass());
    try {
      asker.does(() -> body.write(out));
      out.end();
    } catch (CloseConnectionException gone) {
      throw gone;
    } catch (Problem early) {
      throw new CloseConnectionException("the answer ended early", early);
    } catch (RuntimeException failed) {
      LOG.error("An answer could not be written to its end.", failed);
      throw new CloseConnectionException("the answer ended early", failed);
    }
  }

  private static void undo(@Nullable Runnable ifUnsent) {
    if (ifUnsent != null) {
      ifUnsent.run();
    }
  }
}
