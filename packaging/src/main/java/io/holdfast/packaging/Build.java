package io.holdfast.packaging;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Properties;

/**
 * What Maven knew when it built.
 *
 * @param version of the project
 * @param time what files are said to be from, so that the same sources give the same archive
 * @param repository where Maven keeps what it fetched
 */
record Build(String version, Instant time, Path repository) {
  static Build current() throws IOException {
    try (InputStream in = Build.class.getResourceAsStream("build.properties")) {
      if (in == null) {
        throw new IOException("build.properties is missing: build with ./holdfast package");
      }
      Properties all = new Properties();
      all.load(in);
      return new Build(
          all.getProperty("version"),
          Instant.parse(all.getProperty("time")),
          Path.of(all.getProperty("repository")));
    }
  }
}
