package io.holdfast.bench.abuse;

import io.holdfast.bench.Latencies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A number of connections held by mischief: one that the server ends is opened again at once.
 *
 * <p>Thread: one of its own, which goes over all connections again and again.
 */
public final class Attack implements AutoCloseable {
  private static final int NARROW_BYTES = 4 * 1024;
  private static final int READ_BYTES = 16 * 1024;

  /** A connection, and since when it is there. */
  private static final class Held {
    private final Mischief mischief;
    private @Nullable SocketChannel channel;
    private long openedNanos;

    Held(Mischief mischief) {
      this.mischief = mischief;
    }
  }

  private final InetSocketAddress address;
  private final long turnMs;
  private final List<Held> all = new ArrayList<>();
  private final Map<Mischief, Latencies> lives = new EnumMap<>(Mischief.class);
  private final Map<Mischief, Integer> cut = new EnumMap<>(Mischief.class);
  private final ByteBuffer sink = ByteBuffer.allocateDirect(READ_BYTES);
  private final Thread thread;
  private volatile boolean over;
  private volatile boolean complete;

  private Attack(int port, int connections, long turnMs) {
    this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.turnMs = turnMs;
    Mischief[] kinds = Mischief.values();
    for (Mischief kind : kinds) {
      lives.put(kind, new Latencies());
      cut.put(kind, 0);
    }
    for (int i = 0; i < connections; i++) {
      all.add(new Held(kinds[i % kinds.length]));
    }
    thread = Thread.ofPlatform().daemon().name("attack").unstarted(this::run);
  }

  /**
   * Begins with as many connections of each kind.
   *
   * @param turnMs how long until each sends something again
   */
  public static Attack start(int port, int connections, long turnMs) {
    Attack attack = new Attack(port, connections, turnMs);
    attack.thread.start();
    return attack;
  }

  private void run() {
    try {
      while (!over) {
        long begun = System.nanoTime();
        for (Held held : all) {
          if (over) {
            return;
          }
          turn(held);
        }
        complete = true;
        Thread.sleep(Math.max(1, turnMs - (System.nanoTime() - begun) / 1_000_000));
      }
    } catch (InterruptedException ended) {
      // It was told to end.
    }
  }

  private void turn(Held held) {
    SocketChannel channel = held.channel;
    if (channel == null) {
      open(held);
      return;
    }
    try {
      boolean gone = held.mischief.reads() && drain(channel);
      if (!gone) {
        channel.write(ByteBuffer.wrap(held.mischief.again()));
        return;
      }
    } catch (IOException reset) {
      // Another way to be cut off.
    }
    synchronized (this) {
      life(held.mischief).add(System.nanoTime() - held.openedNanos);
      cut.merge(held.mischief, 1, Integer::sum);
    }
    close(channel);
    open(held);
  }

  /** Reads what is there; answers whether that was the end. */
  private boolean drain(SocketChannel channel) throws IOException {
    int count;
    do {
      count = channel.read(sink.clear());
    } while (count > 0);
    return count < 0;
  }

  private void open(Held held) {
    try {
      SocketChannel channel = SocketChannel.open();
      if (!held.mischief.reads()) {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, NARROW_BYTES);
      }
      channel.connect(address);
      channel.configureBlocking(false);
      channel.write(ByteBuffer.wrap(held.mischief.first()));
      held.channel = channel;
      held.openedNanos = System.nanoTime();
    } catch (IOException refused) {
      held.channel = null;
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether all connections have been opened once. */
  public boolean isComplete() {
    return complete;
  }

  /** How often the server ended connections of a kind. */
  public synchronized int cutOff(Mischief kind) {
    return cut.getOrDefault(kind, 0);
  }

  /**
   * How long connections of a kind lived: the median of those that the server ended, in seconds.
   */
  public synchronized double lifeSeconds(Mischief kind) {
    return life(kind).percentileMs(0.5) / 1000;
  }

  private Latencies life(Mischief kind) {
    return Objects.requireNonNull(lives.get(kind));
  }

  @Override
  public void close() {
    end();
  }

  /** Ends it; all connections are closed. */
  public void end() {
    over = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Held held : all) {
      SocketChannel channel = held.channel;
      if (channel != null) {
        close(channel);
      }
    }
  }
}
