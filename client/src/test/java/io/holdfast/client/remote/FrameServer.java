package io.holdfast.client.remote;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.holdfast.api.Broker;
import io.holdfast.api.Result;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.Popped;
import io.holdfast.api.wire.Frames;
import io.holdfast.api.wire.Verb;
import io.holdfast.api.wire.Verbs;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A server of any broker over frames, and over HTTP for clients that do without, which can be told
 * to be faulty.
 *
 * <p>Every request runs on a thread of its own, which is interrupted to stop its wait.
 */
public final class FrameServer implements AutoCloseable {
  private static final int SWITCHING = 101;

  private final Broker broker;
  private final ServerSocket listening;
  private final Set<Peer> peers = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger upgraded = new AtomicInteger();
  private final AtomicInteger overHttp = new AtomicInteger();
  private final AtomicInteger runningNow = new AtomicInteger();
  private final List<String> heads = new CopyOnWriteArrayList<>();
  private volatile String basePath = "";
  private volatile int upgradeStatus = SWITCHING;
  private volatile boolean silent;
  private volatile boolean deaf;
  private volatile int pieceBytes = Integer.MAX_VALUE;
  private volatile IntPredicate isHeld = verb -> false;
  private volatile @Nullable Verb<?, ?> cutAnswerOf;
  private volatile byte[] afterUpgrade = {};
  private final List<Runnable> held = new ArrayList<>();

  public FrameServer(Broker broker) throws IOException {
    this(broker, new ServerSocket(0, 200, InetAddress.getLoopbackAddress()));
  }

  public FrameServer(Broker broker, ServerSocket listening) {
    this.broker = broker;
    this.listening = listening;
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return listening.getLocalPort();
  }

  public String address() {
    return "http://127.0.0.1:" + port();
  }

  public int accepted() {
    return accepted.get();
  }

  public int upgraded() {
    return upgraded.get();
  }

  /** How many requests came over HTTP. */
  public int overHttp() {
    return overHttp.get();
  }

  /** How many requests over frames were read and not answered yet. */
  public int running() {
    return runningNow.get();
  }

  /** The heads of the requests to upgrade. */
  public List<String> heads() {
    return heads;
  }

  /** How many connections are open. */
  public int open() {
    return peers.size();
  }

  /** Other paths are not found. */
  public void basePath(String path) {
    basePath = path;
  }

  // Faults

  /** Upgrades are answered with that status; 101 makes them. */
  public void upgradeStatus(int status) {
    upgradeStatus = status;
  }

  /** Requests are read, and nothing is ever answered. */
  public void silent(boolean on) {
    silent = on;
  }

  /** Nothing is read any more. */
  public void deaf() {
    deaf = true;
  }

  /** Answers come in pieces of so many bytes. */
  public void pieces(int bytes) {
    pieceBytes = bytes;
  }

  /** Answers to these verbs are held until {@link #releaseReversed}. */
  public void hold(Verb<?, ?> verb) {
    isHeld = number -> number == verb.number();
  }

  public int held() {
    synchronized (held) {
      return held.size();
    }
  }

  /** Sends the answers that were held, the last one first. */
  public void releaseReversed() {
    isHeld = verb -> false;
    List<Runnable> last;
    synchronized (held) {
      last = new ArrayList<>(held).reversed();
      held.clear();
    }
    last.forEach(Runnable::run);
  }

  /** The connection ends in the middle of the next answer to a verb. */
  public void cutNextAnswerOf(Verb<?, ?> verb) {
    cutAnswerOf = verb;
  }

  /** These bytes come right after the upgrade. */
  public void afterUpgrade(byte[] bytes) {
    afterUpgrade = bytes;
  }

  /** Announces the end on all connections. */
  public void announceEnd() {
    send(Frames.closing());
  }

  /** Sends bytes on all connections. */
  public void send(byte[] bytes) {
    peers.forEach(peer -> peer.write(bytes));
  }

  public void cut() {
    peers.forEach(Peer::end);
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket socket = listening.accept();
        accepted.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException ended) {
        cut();
      }
    }
  }

  private void serve(Socket socket) {
    Peer peer = new Peer(socket);
    peers.add(peer);
    try {
      peer.serve();
    } catch (IOException ended) {
      // The client is gone, or was cut off.
    } finally {
      peer.end();
    }
  }

  private final class Peer {
    private final Socket socket;
    private final ReentrantLock writing = new ReentrantLock();
    private final Map<Integer, Thread> running = new ConcurrentHashMap<>();
    private volatile boolean ended;

    Peer(Socket socket) {
      this.socket = socket;
    }

    void serve() throws IOException {
      socket.setTcpNoDelay(true);
      DataInputStream in =
          new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
      while (true) {
        String head = head(in);
        if (!head.split(" ", 3)[1].startsWith(basePath + "/api/v1/")) {
          refuse(404);
          return;
        }
        if (head.startsWith("POST ")) {
          answerOverHttp(head, in);
        } else if (upgrade(head)) {
          frames(in);
          return;
        }
      }
    }

    private String head(DataInputStream in) throws IOException {
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.readUnsignedByte());
      }
      return head.toString();
    }

    private void answerOverHttp(String head, DataInputStream in) throws IOException {
      overHttp.incrementAndGet();
      String lower = head.toLowerCase(Locale.ROOT);
      String length = lower.substring(lower.indexOf("content-length: ") + 16);
      byte[] body = new byte[Integer.parseInt(length.substring(0, length.indexOf('\r')))];
      in.readFully(body);
      String path = head.split(" ", 3)[1];
      String name = path.substring(path.lastIndexOf('/') + 1);
      Verb<?, ?> verb =
          Verbs.ALL.stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
      byte[] frame = answer(verb, 0, body, 0, body.length);
      int status = frame[Frames.LENGTH_BYTES] == Frames.ANSWERED ? 200 : 409;
      int skipped = Frames.LENGTH_BYTES + Frames.HEAD_BYTES;
      String answer =
          "HTTP/1.1 "
              + status
              + " Said\r\nContent-Type: "
              + Verbs.CONTENT_TYPE
              + "\r\nContent-Length: "
              + (frame.length - skipped)
              + "\r\n\r\n";
      byte[] bytes = java.util.Arrays.copyOfRange(frame, skipped, frame.length);
      write(answer.getBytes(ISO_8859_1));
      write(bytes);
    }

    private boolean upgrade(String head) {
      heads.add(head);
      if (silent) {
        return false;
      }
      if (upgradeStatus == SWITCHING) {
        upgraded.incrementAndGet();
        String answer =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: "
                + Frames.PROTOCOL
                + "\r\n\r\n";
        byte[] text = answer.getBytes(ISO_8859_1);
        byte[] whole = java.util.Arrays.copyOf(text, text.length + afterUpgrade.length);
        System.arraycopy(afterUpgrade, 0, whole, text.length, afterUpgrade.length);
        write(whole);
        return true;
      }
      refuse(upgradeStatus);
      return false;
    }

    private void refuse(int status) {
      String text =
          "HTTP/1.1 "
              + status
              + " No\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n"
              + "{\"error\":\"not!\"}";
      write(text.getBytes(ISO_8859_1));
    }

    private void frames(DataInputStream in) throws IOException {
      while (true) {
        while (deaf) {
          java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
          if (ended) {
            return;
          }
        }
        int length = in.readInt();
        int kind = in.readUnsignedByte();
        int id = in.readInt();
        byte[] body = new byte[length - Frames.HEAD_BYTES];
        in.readFully(body);
        if (kind == Frames.STOP_WAITING) {
          Thread waiting = running.get(id);
          if (waiting != null) {
            waiting.interrupt();
          }
          continue;
        }
        Thread thread =
            Thread.ofVirtual()
                .unstarted(
                    () -> {
                      try {
                        run(kind, id, body);
                      } finally {
                        runningNow.decrementAndGet();
                      }
                    });
        running.put(id, thread);
        runningNow.incrementAndGet();
        thread.start();
      }
    }

    private void run(int kind, int id, byte[] body) {
      Verb<?, ?> verb = Verbs.numbered(kind);
      byte[] frame =
          verb == null
              ? Frames.problem(id, 404, "{\"error\":\"unknown kind\"}".getBytes(ISO_8859_1))
              : answer(verb, id, body, 0, body.length);
      running.remove(id);
      Thread.interrupted();
      if (silent) {
        return;
      }
      if (isHeld.test(kind)) {
        synchronized (held) {
          held.add(() -> write(frame));
        }
        return;
      }
      if (verb != null && verb.equals(cutAnswerOf)) {
        cutAnswerOf = null;
        write(java.util.Arrays.copyOf(frame, frame.length / 2));
        end();
        return;
      }
      if (!write(frame) && verb == Verbs.POP && frame[Frames.LENGTH_BYTES] == Frames.ANSWERED) {
        release(body, frame);
      }
    }

    private void release(byte[] body, byte[] frame) {
      PopRequest request = Verbs.POP.request(body);
      Popped popped =
          Verbs.POP.answer(frame, Frames.LENGTH_BYTES + Frames.HEAD_BYTES, frame.length);
      if (!popped.leaseId().isEmpty()) {
        broker.settle(request.release(popped));
      }
    }

    private <I, O> byte[] answer(Verb<I, O> verb, int id, byte[] body, int from, int to) {
      try {
        Result<O> result = verb.ask(broker, verb.request(body, from, to));
        return result.isOk()
            ? Frames.answer(verb, id, result.orThrow())
            : Frames.refusal(id, result.refusal());
      } catch (IllegalArgumentException wrong) {
        String text = "{\"error\":\"" + wrong.getMessage() + "\"}";
        return Frames.problem(id, 400, text.getBytes(ISO_8859_1));
      }
    }

    boolean write(byte[] bytes) {
      writing.lock();
      try {
        if (ended) {
          return false;
        }
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        for (int at = 0; at < bytes.length; at += pieceBytes) {
          int count = Math.min(bytes.length - at, pieceBytes);
          out.write(bytes, at, count);
          out.flush();
          if (pieceBytes == Integer.MAX_VALUE) {
            break;
          }
        }
        return true;
      } catch (IOException gone) {
        return false;
      } finally {
        writing.unlock();
      }
    }

    void end() {
      ended = true;
      peers.remove(this);
      running.values().forEach(Thread::interrupt);
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
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
