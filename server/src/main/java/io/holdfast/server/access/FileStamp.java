package io.holdfast.server.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** By what one sees that files have changed: which they are, how long, and written when. */
public record FileStamp(List<Object> seen) {
  private static final String MISSING = "missing";

  /** How files are now. */
  public static FileStamp of(Path... files) {
    List<Object> seen = new ArrayList<>();
    for (Path file : files) {
      try {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        seen.add(String.valueOf(now.fileKey()));
        seen.add(now.lastModifiedTime());
        seen.add(now.size());
      } catch (IOException missing) {
        seen.add(MISSING);
      }
    }
    return new FileStamp(seen);
  }
}
