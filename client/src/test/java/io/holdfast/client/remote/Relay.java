package io.holdfast.client.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

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

  private final ServerSocket listening;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();
  private volatile int target;
  private volatile Mode mode = Mode.PASS;
  private volatile int answersToLose;

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
    answersToLose = count;
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
        Thread.ofVirtual().start(() -> forward(client, server, false));
        Thread.ofVirtual().start(() -> forward(server, client, true));
      } catch (IOException ended) {
        cut();
      }
    }
  }

  private void forward(Socket from, Socket to, boolean answers) {
    byte[] buffer = new byte[64 * 1024];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (answers && isLost()) {
          break;
        }
        if (mode != Mode.SWALLOW) {
          out.write(buffer, 0, read);
        }
      }
    } catch (IOException ended) {
      // The other end learns it now.
    }
    end(from);
    end(to);
  }

  private synchronized boolean isLost() {
    if (answersToLose > 0) {
      answersToLose--;
      return true;
    }
    return mode == Mode.LOSE_ANSWERS;
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
