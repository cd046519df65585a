package io.holdfast.engine.logic;

import io.holdfast.engine.command.Entry;
import io.holdfast.engine.command.EntryCodec;
import io.holdfast.engine.command.ShardLimits;
import io.holdfast.engine.store.MemoryStore;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A recorded log, with hashes of the rows that its entries lead to.
 *
 * <p>{@code <name>.log.gz} has the entries, each behind its length in four bytes; a line of {@code
 * <name>.rows} has a count of entries and the hash of all rows after them.
 *
 * @param entries as bytes, because pushes give theirs away when they are applied
 */
record GoldenLog(String name, List<byte[]> entries, List<String> hashes) {
  private static final Path DIRECTORY = Path.of("src/test/resources/golden");
  private static final String LOG = ".log.gz";
  private static final String ROWS = ".rows";
  private static final int HASH_EVERY = 100;

  /** All that are recorded. */
  static List<GoldenLog> all() {
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(LOG))
          .sorted()
          .map(file -> load(file.substring(0, file.length() - LOG.length())))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static GoldenLog load(String name) {
    List<byte[]> entries = new ArrayList<>();
    try (DataInputStream in =
        new DataInputStream(
            new GZIPInputStream(Files.newInputStream(DIRECTORY.resolve(name + LOG))))) {
      for (int count = in.readInt(); count > 0; count--) {
        entries.add(in.readNBytes(in.readInt()));
      }
      return new GoldenLog(name, entries, Files.readAllLines(DIRECTORY.resolve(name + ROWS)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void save() throws IOException {
    Files.createDirectories(DIRECTORY);
    try (DataOutputStream out =
        new DataOutputStream(
            new GZIPOutputStream(Files.newOutputStream(DIRECTORY.resolve(name + LOG))))) {
      out.writeInt(entries.size());
      for (byte[] entry : entries) {
        out.writeInt(entry.length);
        out.write(entry);
      }
    }
    Files.write(DIRECTORY.resolve(name + ROWS), hashes);
  }

  /** Limits under which logs of a name are applied. Never change those of a recorded log. */
  static ShardLimits limits(String name) {
    return name.endsWith("narrow")
        ? ShardLimits.of(100, 1_000, 10, 400).commandRowsMax(3).remembered(200, 3, 120).slotEnd(12)
        : ShardLimits.of(100, 1_000, 10, 1L << 30);
  }

  List<Entry> decoded() {
    return entries.stream().map(EntryCodec::read).toList();
  }

  /** The hashes that this version gives; the shard is shown after each entry. */
  List<String> applied(Consumer<Replay> after) {
    Replay shard = new Replay(new MemoryStore(), limits(name), 1 << 20);
    List<String> lines = new ArrayList<>();
    for (int i = 1; i <= entries.size(); i++) {
      shard.apply(EntryCodec.read(entries.get(i - 1)));
      shard.flush();
      after.accept(shard);
      if (i % HASH_EVERY == 0 || i == entries.size()) {
        lines.add(i + " " + hash(shard));
      }
    }
    return lines;
  }

  private static String hash(Replay shard) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      shard
          .rows()
          .forEach(
              (key, value) ->
                  digest.update((key + "=" + value + "\n").getBytes(StandardCharsets.US_ASCII)));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
