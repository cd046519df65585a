package io.holdfast.engine.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The file in which a store records its {@link SyncedPosition}.
 *
 * <p>It has two slots, each in a block of its own, that are overwritten in turn, so that a write
 * that is torn by a power cut leaves the one before. A slot is written after the log was synced,
 * and is itself synced only now and then: after a power cut it may be too old, but it never claims
 * more than was synced. After the death of the process it is exact.
 *
 * <p>Thread: one at a time.
 */
final class SyncedPositionFile implements AutoCloseable {
  static final String NAME = "SYNCED";

  private static final int SLOTS = 2;
  private static final int SLOT_DISTANCE = 4096;
  private static final long MAGIC = 0x484f4c4446535432L;
  private static final int SLOT_BYTES =
      (6 + 2 * SyncedPosition.EARLIER_MAX) * Long.BYTES + 2 * Integer.BYTES;
  private static final int CHECKSUM_AT = SLOT_BYTES - Integer.BYTES;

  /** While batches are written, a power cut finds a position that is at most this old. */
  private static final long FORCE_NANOS = 1_000_000_000L;

  // No channel: those close when their thread is interrupted.
  private final RandomAccessFile file;
  private final ByteBuffer slot = ByteBuffer.allocate(SLOT_BYTES);
  private long count;
  private long log;
  private long forcedNanos;

  private SyncedPositionFile(RandomAccessFile file, long count) {
    this.file = file;
    this.count = count;
  }

  /** The content of a slot. */
  private record Slot(long count, SyncedPosition position) {}

  /**
   * The position that a directory records; null if it records none, or its file is damaged.
   *
   * @throws IOException if the file cannot be read
   */
  static @Nullable SyncedPosition read(Path directory) throws IOException {
    Slot newest = newest(directory);
    return newest == null ? null : newest.position();
  }

  private static @Nullable Slot newest(Path directory) throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(directory.resolve(NAME));
    } catch (NoSuchFileException none) {
      return null;
    }
    Slot newest = null;
    for (int i = 0; i < SLOTS; i++) {
      Slot found = decode(bytes, i * SLOT_DISTANCE);
      if (found != null && (newest == null || found.count() > newest.count())) {
        newest = found;
      }
    }
    return newest;
  }

  private static @Nullable Slot decode(byte[] bytes, int at) {
    if (bytes.length < at + SLOT_BYTES) {
      return null;
    }
    ByteBuffer slot = ByteBuffer.wrap(bytes, at, SLOT_BYTES).slice();
    if (slot.getInt(CHECKSUM_AT) != checksum(slot) || slot.getLong() != MAGIC) {
      return null;
    }
    long count = slot.getLong();
    SyncedPosition.Log log = new SyncedPosition.Log(slot.getLong(), slot.getLong());
    long manifest = slot.getLong();
    long manifestBytes = slot.getLong();
    int earlierCount = slot.getInt();
    List<SyncedPosition.Log> earlier = new ArrayList<>();
    for (int i = 0; i < earlierCount; i++) {
      earlier.add(new SyncedPosition.Log(slot.getLong(), slot.getLong()));
    }
    return new Slot(count, new SyncedPosition(log, earlier, manifest, manifestBytes));
  }

  /** Opens the file of a directory for writing, and makes one if there is none. */
  static SyncedPositionFile open(Path directory) throws IOException {
    Slot newest = newest(directory);
    Path path = directory.resolve(NAME);
    boolean isNew = !Files.exists(path);
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    SyncedPositionFile opened = new SyncedPositionFile(file, newest == null ? 0 : newest.count());
    if (file.length() < SLOTS * SLOT_DISTANCE) {
      // All of it is written now, so that no later write has to find room on the disk.
      file.seek(0);
      file.write(new byte[SLOTS * SLOT_DISTANCE]);
    }
    if (newest == null) {
      opened.write(SyncedPosition.NOTHING);
    }
    opened.force();
    if (isNew) {
      StoreDirectory.forceDirectory(directory);
    }
    return opened;
  }

  /** Records a position up to which the log was synced; syncs it if the last time is long ago. */
  void write(SyncedPosition position) throws IOException {
    encode(position);
    file.seek((count % SLOTS) * SLOT_DISTANCE);
    file.write(slot.array(), 0, SLOT_BYTES);
    if (position.log().number() != log || System.nanoTime() - forcedNanos > FORCE_NANOS) {
      log = position.log().number();
      force();
    }
  }

  private void encode(SyncedPosition position) {
    count++;
    slot.clear();
    slot.putLong(MAGIC).putLong(count);
    slot.putLong(position.log().number()).putLong(position.log().bytes());
    slot.putLong(position.manifest()).putLong(position.manifestBytes());
    slot.putInt(position.earlier().size());
    for (SyncedPosition.Log earlier : position.earlier()) {
      slot.putLong(earlier.number()).putLong(earlier.bytes());
    }
    while (slot.position() < CHECKSUM_AT) {
      slot.put((byte) 0);
    }
    slot.putInt(checksum(slot));
  }

  private static int checksum(ByteBuffer slot) {
    CRC32C crc = new CRC32C();
    crc.update(slot.array(), slot.arrayOffset(), CHECKSUM_AT);
    return (int) crc.getValue();
  }

  void force() throws IOException {
    file.getFD().sync();
    forcedNanos = System.nanoTime();
  }

  @Override
  public void close() throws IOException {
    try (file) {
      force();
    }
  }
}
