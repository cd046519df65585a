package io.holdfast.engine.seal;

import io.holdfast.engine.command.Envelope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * The file that keys are kept in: a line {@code key <id> <64 hex digits> <when made>} for each, and
 * a line {@code current <id>}. Lines that begin with # say nothing.
 *
 * <p>Invariant: a file is read whole and right, or not at all; it is changed whole or not at all,
 * and whoever could not read it before cannot read what is written here.
 */
public final class KeyFile {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final HexFormat HEX = HexFormat.of();

  private static final String HEAD =
      """
      # Keys of a Holdfast broker. Keep this file secret, and a copy of it elsewhere:
      # without it what is encrypted cannot be read by anybody.
      """;

  /** What nobody but owner and group may do, and the group may only read. */
  private static final Set<PosixFilePermission> TOO_MUCH =
      Set.of(
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.GROUP_WRITE);

  /** A key as people may see it. */
  public record Entry(String id, Instant madeAt, boolean current) {}

  private record Line(int id, byte[] key, Instant madeAt) {}

  private final Path path;
  private final List<Line> lines = new ArrayList<>();
  private int current = -1;

  private KeyFile(Path path) {
    this.path = path;
  }

  /**
   * The keys of a file.
   *
   * @throws KeyFileException if it cannot be read, is malformed, or others may read it
   */
  public static Keys read(Path path) {
    KeyFile file = load(path);
    return Keys.of(file.lines.stream().map(Line::key).toList(), file.current);
  }

  /** What keys a file has, oldest first. */
  public static List<Entry> list(Path path) {
    KeyFile file = load(path);
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < file.lines.size(); i++) {
      entries.add(file.entry(i));
    }
    return entries;
  }

  /**
   * Makes a file with a first key.
   *
   * @throws KeyFileException if there is a file already, or it cannot be written
   */
  public static Entry create(Path path, Instant now) {
    if (Files.exists(path)) {
      throw new KeyFileException(
          path + " exists already: rotate it to add a key, or name another file.", null);
    }
    return new KeyFile(path).add(now);
  }

  /** Adds a key, which is the current one from then on; the others stay. */
  public static Entry rotate(Path path, Instant now) {
    return load(path).add(now);
  }

  private Entry add(Instant now) {
    byte[] key = new byte[Xaes.KEY_BYTES];
    RANDOM.nextBytes(key);
    lines.add(new Line(Keys.idOf(key), key, now.truncatedTo(ChronoUnit.SECONDS)));
    current = lines.size() - 1;
    write();
    return entry(current);
  }

  private Entry entry(int index) {
    Line line = lines.get(index);
    return new Entry(Envelope.keyText(line.id()), line.madeAt(), index == current);
  }

  private static KeyFile load(Path path) {
    KeyFile file = new KeyFile(path);
    try {
      file.checkPermissions();
      List<String> texts = Files.readAllLines(path, StandardCharsets.UTF_8);
      String named = null;
      for (int i = 0; i < texts.size(); i++) {
        String text = texts.get(i).strip();
        if (text.startsWith("current ") && named == null) {
          named = text.substring("current ".length()).strip();
        } else if (!text.isEmpty() && !text.startsWith("#")) {
          file.lines.add(file.line(text, i + 1));
        }
      }
      file.findCurrent(named == null ? "" : named);
    } catch (NoSuchFileException missing) {
      throw new KeyFileException(
          "There is no key file "
              + path
              + ": make one with ./holdfast key create --keys "
              + path
              + ", or bring back the one you had.",
          missing);
    } catch (IOException e) {
      throw new KeyFileException("The key file " + path + " cannot be read (" + e + ").", e);
    }
    return file;
  }

  private void checkPermissions() throws IOException {
    if (!isPosix()) {
      return;
    }
    for (PosixFilePermission given : Files.getPosixFilePermissions(path)) {
      if (TOO_MUCH.contains(given)) {
        throw new KeyFileException(
            "The key file " + path + " is open to others: run chmod 600 " + path + ".", null);
      }
    }
  }

  private static boolean isPosix() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }

  /** A line that must be that of a key. What stands there is not told: it may be one. */
  private Line line(String text, int number) {
    String[] words = text.split("\\s+");
    Line line;
    try {
      if (words.length != 4 || !words[0].equals("key") || words[2].length() != 64) {
        throw new IllegalArgumentException("no key");
      }
      line =
          new Line(
              HexFormat.fromHexDigits(words[1]), HEX.parseHex(words[2]), Instant.parse(words[3]));
    } catch (RuntimeException malformed) {
      throw wrong(
          number, "expected key <id> <64 hex digits> <when made>, but it is something else");
    }
    int id = Keys.idOf(line.key());
    if (id != line.id()) {
      throw wrong(
          number,
          "the id of this key is " + Envelope.keyText(id) + ", so the id or the key was changed");
    }
    if (lines.stream().anyMatch(other -> other.id() == id)) {
      throw wrong(number, "the key " + Envelope.keyText(id) + " is there already");
    }
    return line;
  }

  private KeyFileException wrong(int number, String what) {
    return new KeyFileException(
        "The key file " + path + " is malformed in line " + number + ": " + what + ".", null);
  }

  private void findCurrent(String id) {
    for (int i = 0; i < lines.size(); i++) {
      current = Envelope.keyText(lines.get(i).id()).equals(id) ? i : current;
    }
    if (current < 0) {
      throw new KeyFileException(
          "The key file "
              + path
              + " is malformed: expected one line current <id> that names one of its "
              + lines.size()
              + " keys.",
          null);
    }
  }

  private String text() {
    StringBuilder text = new StringBuilder(HEAD);
    for (Line line : lines) {
      text.append("key ")
          .append(Envelope.keyText(line.id()))
          .append(' ')
          .append(HEX.formatHex(line.key()))
          .append(' ')
          .append(line.madeAt())
          .append('\n');
    }
    return text.append("current ")
        .append(Envelope.keyText(lines.get(current).id()))
        .append('\n')
        .toString();
  }

  /** Writes the file; a link stays one, and what it points to is replaced. */
  private void write() {
    try {
      boolean exists = Files.exists(path);
      Path real = exists ? path.toRealPath() : path.toAbsolutePath();
      write(real, exists ? real : real.resolveSibling("."));
      forceParent(real);
    } catch (IOException e) {
      throw new KeyFileException("The key file " + path + " cannot be written (" + e + ").", e);
    }
  }

  /** Writes the file beside the old one, and puts it in its place once it is on the disk. */
  private void write(Path real, Path model) throws IOException {
    Path fresh = real.resolveSibling(real.getFileName() + ".new");
    try (FileChannel out =
        FileChannel.open(
            fresh, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW), ownersOnly())) {
      try {
        ByteBuffer bytes = ByteBuffer.wrap(text().getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        out.force(true);
        FileReaders.keep(model, fresh);
        Files.move(fresh, real, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(fresh);
      }
    } catch (FileAlreadyExistsException busy) {
      throw new KeyFileException(
          fresh + " exists: another change is under way, or one failed; then remove it.", busy);
    }
  }

  private static FileAttribute<?>[] ownersOnly() {
    return isPosix()
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private static void forceParent(Path file) {
    try (FileChannel directory =
        FileChannel.open(file.resolveSibling("."), StandardOpenOption.READ)) {
      directory.force(true);
    } catch (IOException e) {
      // Some systems do not let a directory be opened; they keep its entries by themselves.
      return;
    }
  }
}
