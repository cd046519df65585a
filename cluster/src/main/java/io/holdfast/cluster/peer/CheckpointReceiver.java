package io.holdfast.cluster.peer;

import io.holdfast.engine.command.ByteReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Stores a checkpoint that another node sends: checks every file against its length and checksum,
 * and makes files and directories durable.
 *
 * <p>Thread: one.
 */
final class CheckpointReceiver {
  private final Path directory;
  private final Set<Path> directories = new LinkedHashSet<>();
  private final CRC32C checksum = new CRC32C();
  private @Nullable FileChannel file;
  private String name = "";
  private long length;
  private long files;

  private CheckpointReceiver(Path directory) {
    this.directory = directory;
  }

  /**
   * Stores a checkpoint in a new directory.
   *
   * @throws IOException if it cannot be stored, or is not what was sent
   */
  static void store(Iterator<PeerFrame> frames, Path directory) throws IOException {
    Files.createDirectory(directory);
    CheckpointReceiver receiver = new CheckpointReceiver(directory);
    receiver.directories.add(directory);
    try {
      boolean complete = false;
      while (!complete && frames.hasNext()) {
        complete = receiver.take(frames.next());
      }
      if (!complete) {
        throw new IOException("the checkpoint ended after " + receiver.files + " files");
      }
    } catch (IllegalArgumentException malformed) {
      throw new IOException("the checkpoint is not readable: " + malformed.getMessage(), malformed);
    } finally {
      receiver.close();
    }
    receiver.force();
  }

  /** Returns whether that was all. */
  private boolean take(PeerFrame frame) throws IOException {
    switch (frame.kind()) {
      case PeerFrame.FILE -> begin(new ByteReader(frame.body()));
      case PeerFrame.CHUNK -> write(frame.body());
      case PeerFrame.FILE_END -> end(new ByteReader(frame.body()).varint());
      case PeerFrame.END -> {
        ByteReader in = new ByteReader(frame.body());
        in.varint();
        in.varint();
        long sent = in.varint();
        if (sent != files || file != null) {
          throw new IOException("expected " + sent + " files, but got " + files);
        }
        return true;
      }
      default -> throw new IOException("unknown kind of message " + frame.kind());
    }
    return false;
  }

  private void begin(ByteReader head) throws IOException {
    if (file != null) {
      throw new IOException("the file " + name + " has no end");
    }
    length = head.varint();
    name = head.text();
    Path target = directory.resolve(name).normalize();
    if (!target.startsWith(directory) || target.equals(directory)) {
      throw new IOException("the file name " + name + " leads out of the checkpoint");
    }
    Path parent = target.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
      for (Path one = parent; one != null && one.startsWith(directory); one = one.getParent()) {
        directories.add(one);
      }
    }
    checksum.reset();
    file = FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  private void write(byte[] chunk) throws IOException {
    FileChannel open = open();
    checksum.update(chunk);
    ByteBuffer rest = ByteBuffer.wrap(chunk);
    while (rest.hasRemaining()) {
      open.write(rest);
    }
    if (open.position() > length) {
      throw new IOException("the file " + name + " is longer than " + length + " bytes");
    }
  }

  private void end(long expected) throws IOException {
    FileChannel open = open();
    if (open.position() != length || checksum.getValue() != expected) {
      throw new IOException(
          "the file " + name + " was damaged on its way: length or checksum differ");
    }
    open.force(true);
    open.close();
    file = null;
    files++;
  }

  private FileChannel open() throws IOException {
    FileChannel open = file;
    if (open == null) {
      throw new IOException("expected the name of a file first");
    }
    return open;
  }

  private void close() throws IOException {
    FileChannel open = file;
    if (open != null) {
      open.close();
    }
  }

  private void force() throws IOException {
    for (Path one : directories) {
      CheckpointDirectory.force(one);
    }
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      CheckpointDirectory.force(parent);
    }
  }
}
