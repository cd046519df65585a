package io.holdfast.bench.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;

/** How often per second the machine can append 4 KiB to a file and be sure of it. */
final class FsyncBench implements EngineBench {
  private static final int BLOCK = 4096;

  @Override
  public String name() {
    return "fsync";
  }

  @Override
  public Measured run(Setting setting) {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    try (FileChannel file =
        FileChannel.open(
            setting.fresh(name()).resolve("log"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE)) {
      append(file, block, setting.warmUpMs() / 2);
      return new Measured(append(file, block, setting.measuredMs()), "fsyncs/s", "append 4 KiB");
    } catch (IOException e) {
      throw new UncheckedIOException("the fsync bench failed", e);
    }
  }

  private static double append(FileChannel file, ByteBuffer block, long millis) throws IOException {
    long start = System.nanoTime();
    long end = start + millis * 1_000_000;
    long count = 0;
    while (System.nanoTime() < end) {
      block.clear();
      while (block.hasRemaining()) {
        file.write(block);
      }
      file.force(false);
      count++;
    }
    return count * 1e9 / (System.nanoTime() - start);
  }
}
