package io.holdfast.bench.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program that is killed: it opens a data directory and lets workers loose on it. */
final class CrashChild {
  private CrashChild() {}

  /** Takes the data directory, the round, the number of workers and the seed. */
  public static void main(String[] args) throws InterruptedException {
    Path directory = Path.of(args[0]);
    int round = Integer.parseInt(args[1]);
    int workers = Integer.parseInt(args[2]);
    long seed = Long.parseLong(args[3]);
    Pipe pipe = new Pipe();
    try (EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.at(directory))) {
      CrashQueues.configure(broker);
      pipe.write(new Line(0, Line.Kind.READY, Step.NONE));
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        CrashWorker worker = new CrashWorker(broker, round, i, seed * 31 + i, pipe);
        threads.add(Thread.ofVirtual().start(worker::work));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  /** The standard output without a buffer, one system call for a line. */
  private static final class Pipe implements CrashWorker.Log {
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

    @Override
    public synchronized void write(Line line) {
      try {
        out.write((line.text() + "\n").getBytes(UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException("the parent is gone", e);
      }
    }
  }
}
