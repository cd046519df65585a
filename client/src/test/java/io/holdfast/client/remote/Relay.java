package io.holdfast.client.remote;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.holdfast.api.wire.Frames;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A network between a client and a server that a test can disturb. */
public final class Relay implements AutoCloseable {
  /** What it does with bytes. */
  public enum Mode {
    PASS,
    /** Requests arrive, and the connection ends instead of the answer. */
    LOSE_ANSWERS,
    /** Connections end as soon as they are made. */
    REFUSE,
    /** Bytes go nowhere, and connections stay. */
    SWALLOW
  }

  private static final String ANY = "any";

  /** Every request comes in one write that begins with its verb. */
  private static final Pattern HEAD = Pattern.compile("POST \\S*/verbs/(\\S+) HTTP.*");

  private static final Pattern UPGRADE = Pattern.compile("GET \\S*/frames HTTP.*");
  private static final String UPGRADED = "HTTP/1.1 101";

  /** What stands for a verb while a connection is upgraded; such answers are not lost. */
  private static final String NO_VERB = "upgrade";

  private static final int HEAD_CHARS = 200;

  private final ServerSocket listening;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();
  private volatile int target;
  private volatile Mode mode = Mode.PASS;
  private final Map<String, Integer> answersToLose = new HashMap<>();

  public Relay(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  public String address() {
    return "http://127.0.0.1:" + listening.getLocalPort();
  }

  public int accepted() {
    return accepted.get();
  }

  public void mode(Mode next) {
    mode = next;
  }

  /** Loses the next answers, and then none. */
  public void loseAnswers(int count) {
    loseAnswers(ANY, count);
  }

  /** Loses the next answers to a verb of the broker, such as {@code pop}, and then none. */
  public synchronized void loseAnswers(String verb, int count) {
    answersToLose.put(verb, count);
  }

  /** How many of the answers that are to be lost have not come yet. */
  public synchronized int answersToLose() {
    return answersToLose.values().stream().mapToInt(Integer::intValue).sum();
  }

  public void target(int port) {
    target = port;
  }

  /** Ends all connections. */
  public void cut() {
    open.forEach(Relay::end);
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        accepted.incrementAndGet();
        if (mode == Mode.REFUSE) {
          client.close();
          continue;
        }
        open.add(client);
        Socket server = new Socket();
        open.add(server);
        server.setTcpNoDelay(true);
        client.setTcpNoDelay(true);
        server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 5_000);
        Passing passing = new Passing(client, server);
        Thread.ofVirtual().start(() -> forward(client, server, passing.requests()));
        Thread.ofVirtual().start(() -> forward(server, client, passing.answers()));
      } catch (IOException ended) {
        cut();
      }
    }
  }

  /** Passes on what comes, until the end or until a part of it is lost. */
  private void forward(Socket from, Socket to, Part part) {
    byte[] buffer = new byte[64 * 1024];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        String begin = new String(buffer, 0, Math.min(read, HEAD_CHARS), ISO_8859_1);
        if (!part.pass(begin)) {
          break;
        }
        if (mode != Mode.SWALLOW) {
          out.write(buffer, 0, read);
        }
        part.passed(begin);
      }
    } catch (IOException ended) {
      // The other end learns it now.
    }
    end(from);
    end(to);
  }

  /** Looks at a part before it is passed on; false if it is lost. */
  private interface Part {
    boolean pass(String begin);

    void passed(String begin);
  }

  /** The requests and answers of one connection. */
  private final class Passing {
    private final Socket client;
    private final Socket server;
    private final Map<Integer, String> verbs = new ConcurrentHashMap<>();
    private volatile String verb = ANY;

    Passing(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    Part requests() {
      return new Part() {
        @Override
        public boolean pass(String begin) {
          String line = begin.lines().findFirst().orElse("");
          Matcher head = HEAD.matcher(line);
          if (head.matches()) {
            verb = head.group(1);
          } else if (UPGRADE.matcher(line).matches()) {
            verb = NO_VERB;
          }
          return true;
        }

        @Override
        public void passed(String begin) {
          if (UPGRADE.matcher(begin.lines().findFirst().orElse("")).matches()) {
            forwardFrames(client, server, Passing.this::noteVerb);
          }
        }
      };
    }

    Part answers() {
      return new Part() {
        @Override
        public boolean pass(String begin) {
          return !isLost(verb);
        }

        @Override
        public void passed(String begin) {
          if (verb.equals(NO_VERB) && begin.startsWith(UPGRADED)) {
            forwardFrames(server, client, Passing.this::isPassed);
          }
        }
      };
    }

    private boolean noteVerb(int kind, int id) {
      Verb<?, ?> asked = Verbs.numbered(kind);
      if (asked != null) {
        verbs.put(id, asked.name());
      }
      return true;
    }

    private boolean isPassed(int kind, int id) {
      String asked = verbs.remove(id);
      return asked == null || !isLost(asked);
    }
  }

  /** Looks at a frame before it is passed on; false if it is lost. */
  private interface FrameCheck {
    boolean pass(int kind, int id);
  }

  private void forwardFrames(Socket from, Socket to, FrameCheck check) {
    try {
      DataInputStream in = new DataInputStream(from.getInputStream());
      OutputStream out = to.getOutputStream();
      while (true) {
        int length = in.readInt();
        ByteBuffer frame = ByteBuffer.allocate(Frames.LENGTH_BYTES + length).putInt(length);
        in.readFully(frame.array(), Frames.LENGTH_BYTES, length);
        if (!check.pass(frame.get(), frame.getInt())) {
          break;
        }
        if (mode != Mode.SWALLOW) {
          out.write(frame.array());
        }
      }
    } catch (IOException ended) {
      // The other end learns it now.
    }
    end(from);
    end(to);
  }

  private boolean isLost(String verb) {
    return !verb.equals(NO_VERB)
        && (mode == Mode.LOSE_ANSWERS || isNextToLose(verb) || isNextToLose(ANY));
  }

  private synchronized boolean isNextToLose(String verb) {
    int left = answersToLose.getOrDefault(verb, 0);
    if (left > 0) {
      answersToLose.put(verb, left - 1);
    }
    return left > 0;
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }
}
