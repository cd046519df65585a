package io.holdfast.client.remote;

import io.holdfast.api.wire.Frames;
import io.holdfast.api.wire.Verbs;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A connection that carries many requests at once, in frames.
 *
 * <p>A caller sends its own frame. One of the callers that wait reads for all of them: see {@link
 * ReadTurns}. An interrupt of a caller never ends the connection.
 *
 * <p>Invariant: a request is in {@code calls} from before it is sent until its answer came, even if
 * nobody waits for it any more; so an answer always has a request.
 *
 * <p>Thread: any.
 */
final class FrameConnection {
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int OK = 200;
  private static final int REFUSED = 409;
  private static final long NANOS_PER_MS = 1_000_000;
  private static final PendingCall.Listener NOBODY = new PendingCall.Listener() {};

  private final Link link;
  private final long answerNanos;
  private final Runnable onClosing;
  private final FrameWriter writer;
  private final FrameReader frames = new FrameReader();
  private final ReadTurns turns;
  private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final Map<Integer, PendingCall> calls = new ConcurrentHashMap<>();
  private final AtomicInteger ids = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private volatile long receivedNanos = System.nanoTime();
  private volatile long usedNanos = System.nanoTime();
  private volatile boolean closing;
  private volatile @Nullable LostConnectionException lost;

  /** Requests that were answered in the current read; their callers are woken after it. */
  private List<PendingCall> ended = new ArrayList<>();

  /**
   * @param name of its thread
   * @param answerMs how long nothing may come while an answer is due
   * @param onClosing runs when the server announces its end
   */
  FrameConnection(Link link, String name, long answerMs, Runnable onClosing) {
    this.link = link;
    this.answerNanos = answerMs * NANOS_PER_MS;
    this.onClosing = onClosing;
    this.writer = new FrameWriter(link);
    this.turns = new ReadTurns(this, name, Math.max(1, Math.min(1_000, answerMs / 4)));
  }

  /** Takes bytes that came with the answer to the upgrade; before any request. */
  void receive(byte[] early) throws IOException {
    frames.read(ByteBuffer.wrap(early), this::received);
  }

  /** Whether requests may be sent on it. */
  boolean isOpen() {
    return !closing && lost == null;
  }

  boolean isLost() {
    return lost != null;
  }

  int requests() {
    return calls.size();
  }

  long bytes() {
    return bytes.get();
  }

  /** For how long it has had no requests; 0 if it has some. */
  long idleNanos() {
    return calls.isEmpty() ? System.nanoTime() - usedNanos : 0;
  }

  /** Reads what came while nobody used it: the server may have closed it. */
  void checkIdle() {
    turns.readNow();
  }

  // Sending

  /**
   * Sends a request. Its listener gets the outcome, or it is {@link #await awaited}.
   *
   * @throws NotSentException if the connection has ended
   */
  void send(PendingCall call) throws NotSentException {
    int id = ids.incrementAndGet();
    call.id = id;
    Frames.setId(call.frame, id);
    calls.put(id, call);
    bytes.addAndGet(call.frame.length);
    LostConnectionException end = lost;
    if (end != null) {
      forget(call);
      NotSentException notSent = new NotSentException(end);
      if (call.fail(notSent)) {
        throw notSent;
      }
      return;
    }
    if (!call.isBlocking()) {
      turns.addUnattended();
    }
    writer.add(call);
    flush();
    turns.sent(call);
  }

  private void flush() {
    try {
      writer.flush();
    } catch (IOException failed) {
      lose(failed);
      return;
    }
    if (writer.isBlocked()) {
      // Whoever reads has to wait for the peer to take more as well.
      link.wakeUp();
    }
  }

  /** Ends the wait of a request at the server. */
  void stopWaiting(PendingCall call) {
    if (!call.isDone() && call.stop()) {
      writer.add(new PendingCall(Frames.stopWaiting(call.id), 0, 0, NOBODY, null));
      flush();
    }
  }

  /** Waits for the outcome of a request of this thread. */
  Reply await(PendingCall call) throws IOException {
    turns.await(call);
    return call.reply();
  }

  /** The time of a request is over. */
  void giveUp(PendingCall call) {
    if (call.withdraw()) {
      forget(call);
      if (!call.isBlocking()) {
        turns.removeUnattended();
      }
      end(
          call,
          new NotSentException(new IOException("it could not be sent within " + within(call))));
    } else if (!writer.isSent(call)) {
      // A part of it was sent, and nothing else can be sent before the rest.
      lose(new IOException("a request could not be sent within " + within(call)));
    } else if (System.nanoTime() - receivedNanos >= answerNanos) {
      lose(new IOException("nothing came from the server for " + within(call)));
    } else if (end(call, new IOException("no answer came within " + within(call)))) {
      // Its answer may still come.
      if (call.isBlocking()) {
        turns.addUnattended();
      }
      turns.wakeReaderIfNobodyReads();
    }
  }

  private static String within(PendingCall call) {
    return call.answerMs + " ms";
  }

  private boolean end(PendingCall call, IOException failure) {
    boolean first = call.fail(failure);
    if (first) {
      call.tell();
    }
    return first;
  }

  private void forget(PendingCall call) {
    if (calls.remove(call.id, call)) {
      bytes.addAndGet(-call.frame.length);
      usedNanos = System.nanoTime();
    }
  }

  /** Gives up the requests whose time is over and for which no thread waits. */
  void expire() {
    long now = System.nanoTime();
    for (PendingCall call : calls.values()) {
      if (!call.isBlocking() && !call.isDone() && call.deadlineNanos() - now <= 0) {
        giveUp(call);
      }
    }
  }

  // Receiving; only the thread whose turn it is to read

  /**
   * Waits for bytes, and takes the answers out of them.
   *
   * @return the requests that have their outcome now
   */
  List<PendingCall> read(long deadlineNanos) {
    try {
      link.await(writer.isBlocked(), deadlineNanos);
      writer.flush();
      readAvailable();
    } catch (IOException failed) {
      lose(failed);
    } catch (RuntimeException | Error failed) {
      // Without this nobody would read any more, and every caller would wait for its deadline.
      lose(new IOException("reading failed: " + failed, failed));
    }
    return takeEnded();
  }

  List<PendingCall> readAvailableNow() {
    try {
      readAvailable();
    } catch (IOException failed) {
      lose(failed);
    }
    return takeEnded();
  }

  private List<PendingCall> takeEnded() {
    List<PendingCall> taken = ended;
    if (!taken.isEmpty()) {
      ended = new ArrayList<>();
    }
    return taken;
  }

  private void readAvailable() throws IOException {
    boolean full = true;
    while (full) {
      in.clear();
      int read = link.read(in);
      if (read < 0) {
        throw new EOFException("the server closed the connection before it answered");
      }
      full = !in.hasRemaining();
      in.flip();
      if (read > 0) {
        receivedNanos = System.nanoTime();
        frames.read(in, this::received);
      }
    }
  }

  private void received(int kind, int id, byte[] body) throws IOException {
    if (kind == Frames.CLOSING) {
      closing = true;
      onClosing.run();
      return;
    }
    Reply reply = reply(kind, body);
    PendingCall call = calls.get(id);
    if (call == null) {
      throw new IOException(
          "the server answered request " + Integer.toUnsignedString(id) + ", which nobody sent");
    }
    forget(call);
    boolean inTime = call.answer(reply);
    if (!call.isBlocking() || !inTime) {
      turns.removeUnattended();
    }
    if (inTime) {
      ended.add(call);
    }
  }

  private static Reply reply(int kind, byte[] body) throws IOException {
    return switch (kind) {
      case Frames.ANSWERED -> new Reply(OK, Verbs.CONTENT_TYPE, body, true);
      case Frames.REFUSED -> new Reply(REFUSED, Verbs.CONTENT_TYPE, body, true);
      case Frames.PROBLEM -> {
        if (body.length < 2) {
          throw new IOException("the server sent a problem without a status");
        }
        int status = (body[0] & 0xFF) << 8 | (body[1] & 0xFF);
        byte[] json = Arrays.copyOfRange(body, 2, body.length);
        yield new Reply(status, "application/json", json, true);
      }
      default -> throw new IOException("the server sent a frame of the unknown kind " + kind);
    };
  }

  /** Closes it if it takes no more requests and nobody waits for an answer. */
  void closeIfDone() {
    if (closing && calls.values().stream().allMatch(PendingCall::isDone)) {
      lose(new IOException("the connection was closed"));
    }
  }

  // Its end

  /** Takes no more requests, and ends those that wait at the server; the others are answered. */
  void shutDown() {
    closing = true;
    for (PendingCall call : calls.values()) {
      if (call.waits) {
        end(call, new IOException("the remote broker was closed"));
      }
    }
    closeIfDone();
  }

  private void lose(IOException cause) {
    LostConnectionException end = new LostConnectionException(cause);
    synchronized (this) {
      if (lost != null) {
        return;
      }
      lost = end;
    }
    link.close();
    for (PendingCall call : calls.values()) {
      forget(call);
      end(call, call.withdraw() || !writer.isSent(call) ? new NotSentException(end) : end);
    }
    turns.stop();
  }
}
