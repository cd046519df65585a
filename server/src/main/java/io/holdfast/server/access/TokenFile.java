package io.holdfast.server.access;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The file that tokens are kept in.
 *
 * <p>Invariant: whoever reads it sees all of one version. A new version is written beside it,
 * fsynced, and takes its place in one step; a lock on another file keeps writers of all processes
 * apart. Only its owner may write it, and read it unless its group may; that stays as it is.
 *
 * <p>Thread: any.
 */
public final class TokenFile {
  /** Most tokens of a file. */
  static final int TOKENS_MAX = 10_000;

  /** Tokens that are over are shown so long, and then forgotten. */
  private static final long REMEMBERED_MS = 30L * 24 * 3600 * 1000;

  private static final long BYTES_MAX = 16L << 20;
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OTHERS_WRITE =
      PosixFilePermissions.fromString("----w--w-");
  // A lock on a file is the process's: threads need one of their own.
  private static final ReentrantLock WRITERS = new ReentrantLock();

  /** A token that was made, and its text, which is shown this once. */
  public record Made(Token token, String text) {
    /** Without the text, so that it gets into no log. */
    @Override
    public String toString() {
      return token.toString();
    }
  }

  private final Path file;

  public TokenFile(Path file) {
    this.file = file.toAbsolutePath().normalize();
  }

  public Path path() {
    return file;
  }

  /** Whether another version could take its place, as far as that can be seen. */
  boolean isReplaceable() {
    try {
      return Files.isWritable(file.toRealPath().resolveSibling("."));
    } catch (IOException missing) {
      return false;
    }
  }

  /**
   * All tokens of it.
   *
   * @throws TokensException if it is missing or damaged, or others may write it
   */
  public List<Token> read() {
    try {
      long bytes = Files.size(file);
      if (bytes > BYTES_MAX) {
        throw new TokensException(
            "The file of tokens %s is damaged: expected at most %d bytes, but it has %d."
                .formatted(file, BYTES_MAX, bytes),
            null);
      }
      refuseIfOthersMayWrite();
      List<Token> tokens = TokenJson.read(Files.readAllBytes(file));
      checkIds(tokens);
      return sorted(tokens);
    } catch (NoSuchFileException missing) {
      throw new TokensException(
          "There is no file of tokens %s. Make one with: holdfast token create --role admin --tokens %s"
              .formatted(file, file),
          missing);
    } catch (IllegalArgumentException damaged) {
      throw new TokensException(
          "The file of tokens %s is damaged: %s. Put a copy back, or move it away and make new tokens."
              .formatted(file, damaged.getMessage()),
          damaged);
    } catch (IOException unreadable) {
      throw new TokensException(
          "The file of tokens %s cannot be read (%s).".formatted(file, reason(unreadable)),
          unreadable);
    }
  }

  private static void checkIds(List<Token> tokens) {
    Set<String> ids = new HashSet<>();
    for (Token token : tokens) {
      if (!ids.add(token.id())) {
        throw new IllegalArgumentException("the id " + token.id() + " is there twice");
      }
    }
  }

  /** Whoever can write it can make tokens. */
  private void refuseIfOthersMayWrite() throws IOException {
    if (isPosix()
        && Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS_WRITE::contains)) {
      throw new TokensException(
          "Others than its owner may write the file of tokens %s, and so give themselves any token. Run: chmod 600 %s"
              .formatted(file, file),
          null);
    }
  }

  private boolean isPosix() {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  static List<Token> sorted(List<Token> tokens) {
    return tokens.stream()
        .sorted(Comparator.comparingLong(Token::createdMs).thenComparing(Token::id))
        .toList();
  }

  /**
   * Makes a token, and the file if there is none.
   *
   * @throws TokensException if the file is damaged or cannot be written
   */
  public Made create(TokenWish wish, long nowMs) {
    TokenText text = TokenText.fresh();
    Token token =
        new Token(
            text.id(),
            wish.name(),
            HexFormat.of().formatHex(text.hash()),
            wish.role(),
            wish.names(),
            nowMs,
            wish.expiresMs(),
            0);
    change(
        before -> {
          List<Token> after = new ArrayList<>(before);
          after.removeIf(old -> isForgotten(old, nowMs));
          after.add(token);
          return after;
        });
    return new Made(token, text.text());
  }

  private static boolean isForgotten(Token token, long nowMs) {
    long overMs = token.revokedMs() > 0 ? token.revokedMs() : token.expiresMs();
    return overMs > 0 && nowMs - overMs > REMEMBERED_MS;
  }

  /**
   * Ends a token; null if there is none of that id. One that was revoked before stays as it is.
   *
   * @throws TokensException if the file is missing, damaged, or cannot be written
   */
  public @Nullable Token revoke(String id, long nowMs) {
    read();
    List<Token> all =
        change(
            before ->
                before.stream()
                    .map(
                        token ->
                            token.id().equals(id) && token.revokedMs() == 0
                                ? token.revoked(nowMs)
                                : token)
                    .toList());
    return all.stream().filter(token -> token.id().equals(id)).findAny().orElse(null);
  }

  /**
   * Puts another list in the place of the one that is there; of a file that is missing, an empty
   * one.
   *
   * @return the new list
   * @throws TokensException if the file is damaged or cannot be written; it is then as it was
   */
  private List<Token> change(UnaryOperator<List<Token>> change) {
    WRITERS.lock();
    try (FileChannel channel = openLock();
        FileLock lock = channel.lock()) {
      List<Token> before = Files.exists(file) ? read() : List.of();
      List<Token> after = List.copyOf(change.apply(before));
      if (after.size() > TOKENS_MAX) {
        throw new TokensException(
            "The file of tokens %s is full: expected at most %d.".formatted(file, TOKENS_MAX),
            null);
      }
      if (lock.isValid() && !after.equals(before)) {
        replace(TokenJson.write(after));
      }
      return after;
    } catch (IOException unwritable) {
      throw new TokensException(
          "The file of tokens %s cannot be written (%s).".formatted(file, reason(unwritable)),
          unwritable);
    } finally {
      WRITERS.unlock();
    }
  }

  private FileChannel openLock() throws IOException {
    Path lock = file.resolveSibling(file.getFileName() + ".lock");
    FileChannel channel =
        FileChannel.open(
            lock, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), ownerOnly());
    try {
      FileReaders.keepOwner(Files.exists(file) ? file : file.resolveSibling("."), lock);
      return channel;
    } catch (IOException refused) {
      channel.close();
      throw refused;
    }
  }

  private FileAttribute<?>[] ownerOnly() {
    return isPosix()
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
        : new FileAttribute<?>[0];
  }

  private void replace(byte[] document) throws IOException {
    // A link stays one: what it points to is replaced.
    Path real = Files.exists(file) ? file.toRealPath() : file;
    Path directory = real.resolveSibling(".");
    Path fresh = Files.createTempFile(directory, real.getFileName() + ".", ".new", ownerOnly());
    try {
      try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(document);
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        out.force(true);
      }
      FileReaders.keep(Files.exists(real) ? real : directory, fresh);
      Files.move(fresh, real, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
    try (FileChannel entry = FileChannel.open(directory, StandardOpenOption.READ)) {
      entry.force(true);
    }
  }

  private static String reason(IOException failed) {
    return failed instanceof FileSystemException named
        ? named.getFile() + ": " + reason(named)
        : failed.getClass().getSimpleName();
  }

  private static String reason(FileSystemException failed) {
    String reason = failed.getReason();
    return reason == null ? failed.getClass().getSimpleName() : reason;
  }
}
