package io.holdfast.engine.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The files of a store at one moment, as a crash would leave them. */
final class StoreImage {
  private static final int PAGE = 4096;
  private static final int SECTOR = 512;

  /** What a power cut leaves of bytes that were appended and not synced. */
  enum Kept {
    NOTHING,
    A_SHORTER_FILE,
    ZEROS,
    THE_FIRST_PAGE,
    SINGLE_PAGES,
    SINGLE_SECTORS,
    ALL
  }

  private final Map<String, byte[]> files;

  /** Which file a name stands for, because a recycled log gets another name. */
  private final Map<String, Object> identities;

  private StoreImage(Map<String, byte[]> files, Map<String, Object> identities) {
    this.files = files;
    this.identities = identities;
  }

  /** Reads a directory that may be in use, again and again until nothing changes meanwhile. */
  static StoreImage of(Path directory) throws IOException {
    while (true) {
      Map<String, byte[]> first = readAll(directory);
      Map<String, Object> identities = identitiesIn(directory);
      Map<String, byte[]> second = readAll(directory);
      if (isSame(first, second) && identities.keySet().containsAll(second.keySet())) {
        return new StoreImage(second, identities);
      }
    }
  }

  private static Map<String, byte[]> readAll(Path directory) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      for (Path file : all) {
        String name = String.valueOf(file.getFileName());
        if (!name.equals("LOCK") && !name.startsWith("LOG")) {
          files.put(name, Files.readAllBytes(file));
        }
      }
    } catch (NoSuchFileException deletedMeanwhile) {
      return Map.of();
    }
    return files;
  }

  private static Map<String, Object> identitiesIn(Path directory) throws IOException {
    Map<String, Object> identities = new TreeMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      for (Path file : all) {
        identities.put(
            String.valueOf(file.getFileName()),
            Files.readAttributes(file, BasicFileAttributes.class).fileKey());
      }
    } catch (NoSuchFileException deletedMeanwhile) {
      return Map.of();
    }
    return identities;
  }

  private static boolean isSame(Map<String, byte[]> one, Map<String, byte[]> other) {
    return !one.isEmpty()
        && one.keySet().equals(other.keySet())
        && one.keySet().stream().allMatch(name -> Arrays.equals(one.get(name), other.get(name)));
  }

  Map<String, byte[]> files() {
    return files;
  }

  byte[] file(String name) {
    byte[] bytes = files.get(name);
    if (bytes == null) {
      throw new IllegalArgumentException("no file " + name + " in " + files.keySet());
    }
    return bytes;
  }

  /** The name of the last file, by name, that ends or begins like this. */
  String last(String part) {
    return files.keySet().stream()
        .filter(name -> name.endsWith(part) || name.startsWith(part))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  StoreImage with(String name, byte[] bytes) {
    Map<String, byte[]> changed = new TreeMap<>(files);
    changed.put(name, bytes);
    return new StoreImage(changed, identities);
  }

  StoreImage without(String name) {
    Map<String, byte[]> changed = new TreeMap<>(files);
    changed.remove(name);
    return new StoreImage(changed, identities);
  }

  StoreImage flipped(String name, long bit) {
    byte[] bytes = file(name).clone();
    bytes[(int) (bit / 8)] ^= (byte) (1 << (bit % 8));
    return with(name, bytes);
  }

  /**
   * What a power cut leaves if all of this was synced, and a later moment was not. Files that were
   * made since are there as a whole, because RocksDB syncs them before it refers to them; logs and
   * the manifest have a part of what was written; files that were deleted since are back. A log
   * that was recycled since has its old or its new name.
   */
  StoreImage cutWhileBecoming(StoreImage later, Kept kept, Random random) {
    boolean manifestWritten = kept == Kept.ALL && random.nextBoolean();
    Map<String, byte[]> cut = new TreeMap<>(files);
    later.files.forEach(
        (name, bytes) -> {
          String oldName = nameOf(later.identities.get(name));
          boolean manifest = name.startsWith("MANIFEST");
          if (name.endsWith(".log") || (manifest && oldName != null)) {
            byte[] old = oldName == null ? new byte[0] : file(oldName);
            Kept how = manifest && manifestWritten ? Kept.ALL : kept;
            if (oldName != null) {
              cut.remove(oldName);
            }
            boolean renamed = oldName == null || kept != Kept.NOTHING || random.nextBoolean();
            cut.put(renamed ? name : oldName, part(old, bytes, how, random));
          } else if (oldName == null || name.endsWith(".sst") || name.endsWith(".blob")) {
            cut.put(name, bytes);
          }
        });
    return new StoreImage(cut, later.identities);
  }

  private @Nullable String nameOf(@Nullable Object identity) {
    return identities.entrySet().stream()
        .filter(entry -> entry.getValue().equals(identity) && files.containsKey(entry.getKey()))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  /** A file of which a part was written over, or behind, what was synced. */
  private static byte[] part(byte[] old, byte[] written, Kept kept, Random random) {
    int changed = Arrays.mismatch(old, written);
    if (changed < 0) {
      return old;
    }
    BiFunction<Integer, Integer, Boolean> has =
        switch (kept) {
          case ALL -> (from, to) -> true;
          case NOTHING, ZEROS -> (from, to) -> false;
          case A_SHORTER_FILE -> (from, to) -> from >= old.length || random.nextBoolean();
          case THE_FIRST_PAGE -> (from, to) -> from / PAGE == changed / PAGE;
          case SINGLE_PAGES, SINGLE_SECTORS -> (from, to) -> random.nextBoolean();
        };
    int size =
        switch (kept) {
          case NOTHING -> old.length;
          case A_SHORTER_FILE ->
              written.length <= old.length
                  ? old.length
                  : random.nextInt(old.length, written.length);
          default -> Math.max(old.length, written.length);
        };
    int unit = kept == Kept.SINGLE_SECTORS ? SECTOR : PAGE;
    byte[] bytes = Arrays.copyOf(old, size);
    for (int from = changed; from < Math.min(size, written.length); ) {
      int to = Math.min(Math.min(size, written.length), (from / unit + 1) * unit);
      if (has.apply(from, to)) {
        System.arraycopy(written, from, bytes, from, to - from);
      }
      from = to;
    }
    return bytes;
  }

  /** Writes all files into a new directory. */
  Path writeTo(Path directory) throws IOException {
    Files.createDirectories(directory);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Files.write(directory.resolve(file.getKey()), file.getValue());
    }
    return directory;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    files.forEach((name, bytes) -> text.append(name).append(' ').append(bytes.length).append(", "));
    byte @Nullable [] current = files.get("CURRENT");
    return text + (current == null ? "" : new String(current, StandardCharsets.ISO_8859_1).strip());
  }
}
