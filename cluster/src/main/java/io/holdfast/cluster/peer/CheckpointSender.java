package io.holdfast.cluster.peer;

import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.command.LogPosition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.zip.CRC32C;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.stub.ServerCallStreamObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends checkpoints to nodes that are too far behind: makes one in a directory of its own, sends
 * its files no faster than the other node stores them, and deletes it.
 *
 * <p>Thread: any; each transfer has a thread.
 */
final class CheckpointSender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointSender.class);

  /** The most transfers at a time; other nodes ask again. */
  static final int TRANSFERS_MAX = 2;

  /** The bytes of a file that are sent together. */
  private static final int CHUNK_BYTES = 256 << 10;

  /** How long the other node may take to store what was sent. */
  private static final long STALLED_NANOS_MAX = 60_000_000_000L;

  /** The other node has ended the transfer. */
  private static final class Abandoned extends IOException {
    private static final long serialVersionUID = 1;

    Abandoned(String why) {
      super(why);
    }
  }

  private final PeerHost host;
  private final CheckpointDirectory directory;
  private final Semaphore transfers = new Semaphore(TRANSFERS_MAX);
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  CheckpointSender(PeerHost host, CheckpointDirectory directory) {
    this.host = host;
    this.directory = directory;
  }

  void send(ServerCallStreamObserver<PeerFrame> frames) {
    if (!transfers.tryAcquire()) {
      frames.onError(
          Status.RESOURCE_EXHAUSTED
              .withDescription(
                  TRANSFERS_MAX + " checkpoints are being sent already; ask again later")
              .asRuntimeException());
      return;
    }
    Transfer transfer = new Transfer(frames);
    frames.setOnReadyHandler(transfer::wake);
    frames.setOnCancelHandler(transfer::wake);
    Thread thread = new Thread(() -> run(transfer), "holdfast-send-checkpoint");
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void run(Transfer transfer) {
    Path checkpoint = directory.next();
    try {
      LogPosition position = host.checkpoint(checkpoint);
      transfer.send(checkpoint, position);
      LOG.info("A checkpoint up to entry {} was sent to another node.", position.index());
    } catch (IOException | RuntimeException failed) {
      LOG.warn("A checkpoint could not be sent to another node: {}", failed.getMessage());
      transfer.fail(failed);
    } finally {
      transfers.release();
      threads.remove(Thread.currentThread());
      try {
        CheckpointDirectory.delete(checkpoint);
      } catch (IOException undeleted) {
        LOG.warn("The checkpoint {} could not be deleted.", checkpoint, undeleted);
      }
    }
  }

  /** Ends all transfers. */
  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
  }

  /** One checkpoint on its way. */
  private static final class Transfer {
    private final ServerCallStreamObserver<PeerFrame> frames;

    Transfer(ServerCallStreamObserver<PeerFrame> frames) {
      this.frames = frames;
    }

    synchronized void wake() {
      notifyAll();
    }

    void send(Path checkpoint, LogPosition position) throws IOException {
      List<Path> files = CheckpointDirectory.files(checkpoint);
      for (Path file : files) {
        send(checkpoint, file);
      }
      ByteWriter end = new ByteWriter(24).varint(position.term()).varint(position.index());
      send(new PeerFrame(PeerFrame.END, 0, end.varint(files.size()).done()));
      frames.onCompleted();
    }

    private void send(Path checkpoint, Path file) throws IOException {
      Path source = checkpoint.resolve(file);
      ByteWriter head = new ByteWriter(64).varint(Files.size(source)).text(file.toString());
      send(new PeerFrame(PeerFrame.FILE, 0, head.done()));
      CRC32C checksum = new CRC32C();
      try (InputStream in = Files.newInputStream(source)) {
        for (byte[] chunk = in.readNBytes(CHUNK_BYTES);
            chunk.length > 0;
            chunk = in.readNBytes(CHUNK_BYTES)) {
          checksum.update(chunk);
          send(new PeerFrame(PeerFrame.CHUNK, 0, chunk));
        }
      }
      byte[] end = new ByteWriter(8).varint(checksum.getValue()).done();
      send(new PeerFrame(PeerFrame.FILE_END, 0, end));
    }

    private void send(PeerFrame frame) throws IOException {
      awaitReady();
      frames.onNext(frame);
    }

    private synchronized void awaitReady() throws IOException {
      long deadline = System.nanoTime() + STALLED_NANOS_MAX;
      while (!frames.isReady()) {
        long leftMs = (deadline - System.nanoTime()) / 1_000_000;
        if (frames.isCancelled() || leftMs <= 0) {
          throw new Abandoned("the other node " + (leftMs <= 0 ? "has stalled" : "has ended it"));
        }
        try {
          wait(leftMs);
        } catch (InterruptedException closing) {
          Thread.currentThread().interrupt();
          throw new Abandoned("this node is closing");
        }
      }
    }

    void fail(Exception failure) {
      if (!frames.isCancelled()) {
        frames.onError(
            Status.INTERNAL.withDescription(String.valueOf(failure.getMessage())).asException());
      }
    }
  }
}
