package io.holdfast.server.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.holdfast.api.TimeSource;
import io.holdfast.server.http.Answer;
import io.holdfast.server.http.Dispatcher;
import io.holdfast.server.http.Guard;
import io.holdfast.server.http.IdempotencyKeys;
import io.holdfast.server.http.IgnoredLog;
import io.holdfast.server.http.Parked;
import io.holdfast.server.http.Pass;
import io.holdfast.server.http.Patience;
import io.holdfast.server.http.Room;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Router;
import io.holdfast.server.http.Traffic;
import io.holdfast.server.http.TrustedProxies;
import io.holdfast.testkit.WaitLimits;
import io.netty.channel.ChannelHandler;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A listener with routes of the test, and clients that speak bytes. */
abstract class ListenerFixture {
  protected static final int BODY_BYTES_MAX = 256 * 1024;

  /** The pieces of a {@link #stream}, and the size of one. */
  protected static final int PIECES = 2_000;

  protected static final int PIECE_BYTES = 10_000;
  private static final int SHOWN_CHARS_MAX = 1_000;
  private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";

  protected final Traffic traffic = new Traffic();
  protected final Parked parked = new Parked();
  protected final List<Integer> statuses = new CopyOnWriteArrayList<>();

  /** Whether callers are let in any more. */
  protected final AtomicBoolean good = new AtomicBoolean(true);

  private final List<Client> clients = new ArrayList<>();
  protected HttpListener listener;

  protected abstract List<Route> routes();

  /**
   * An answer of 20 MB, which ends with {@code end}.
   *
   * @param written counts the pieces that were written
   */
  protected static Answer stream(AtomicInteger written) {
    byte[] piece = "y".repeat(PIECE_BYTES).getBytes(ISO_8859_1);
    return Answer.streaming(
        "text/plain",
        out -> {
          for (int i = 0; i < PIECES; i++) {
            out.write(piece);
            written.incrementAndGet();
          }
          out.write("end".getBytes(ISO_8859_1));
        });
  }

  protected Map<String, Function<UpgradedConnection, ChannelHandler>> upgrades() {
    return Map.of();
  }

  protected Patience patience() {
    return Patience.usual().rest(Duration.ofMinutes(1), Duration.ofMillis(20));
  }

  @BeforeEach
  void listen() throws IOException {
    Dispatcher dispatcher =
        new Dispatcher(
            new Router(routes()),
            new Guard(Guard.Names.LOOPBACK, "localhost"),
            (route, shown, address) -> new Anybody(),
            BODY_BYTES_MAX,
            TrustedProxies.NONE,
            (route, status, nanos) -> statuses.add(status),
            traffic,
            Room.forBodies(1 << 20),
            authority -> {
              throw new IllegalStateException("these routes ask no broker");
            },
            new IdempotencyKeys(TimeSource.SYSTEM),
            new IgnoredLog());
    listener =
        new HttpListener(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ConnectionSettings(dispatcher, patience(), 1_000, parked, upgrades()),
            new AddressLimit(1_000, TrustedProxies.NONE),
            null);
    listener.start();
  }

  @AfterEach
  void stop() {
    clients.forEach(Client::close);
    listener.close();
  }

  private final class Anybody implements Pass {
    @Override
    public <T> T as(Supplier<T> act) {
      return act.get();
    }

    @Override
    public boolean isGood() {
      return good.get();
    }
  }

  protected static Answer text(String text) {
    return Answer.text("text/plain", text.getBytes(ISO_8859_1));
  }

  protected static String get(String path) {
    return "GET " + path + HOST + "\r\n";
  }

  protected static String post(String path, String body) {
    return "POST " + path + HOST + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  protected static String head(String path, String headers) {
    return "GET " + path + HOST + headers + "\r\n\r\n";
  }

  protected Client connect() {
    Client client = new Client(listener.port());
    clients.add(client);
    return client;
  }

  /** A connection of a client. */
  protected static final class Client implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    private Client(int port) {
      try {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) WaitLimits.EVENT.toMillis());
        in = new BufferedInputStream(socket.getInputStream());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    Client send(String text) {
      try {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        return this;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Sends no more, but still reads. */
    void shutOutput() {
      try {
        socket.shutdownOutput();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Closes the connection so that it is reset. */
    void reset() {
      try {
        socket.setSoLinger(true, 0);
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Reads until a text has come; all that has come until then. */
    String readTo(String end) {
      StringBuilder all = new StringBuilder();
      try {
        while (!endsWith(all, end)) {
          int b = in.read();
          if (b < 0) {
            throw new AssertionError("the server hung up after: " + endOf(all));
          }
          all.append((char) b);
        }
      } catch (IOException e) {
        throw new AssertionError("came so far: " + endOf(all), e);
      }
      return all.toString();
    }

    /** Without a copy for each character: some answers have twenty million. */
    private static boolean endsWith(StringBuilder all, String end) {
      int from = all.length() - end.length();
      return from >= 0
          && all.charAt(all.length() - 1) == end.charAt(end.length() - 1)
          && all.indexOf(end, from) == from;
    }

    private static CharSequence endOf(StringBuilder all) {
      return all.subSequence(Math.max(0, all.length() - SHOWN_CHARS_MAX), all.length());
    }

    /** Reads until the server hangs up. */
    String rest() {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      try {
        in.transferTo(all);
      } catch (SocketTimeoutException silent) {
        throw new AssertionError("the server does not hang up", silent);
      } catch (IOException reset) {
        // That is a way to hang up.
      }
      return all.toString(ISO_8859_1);
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
