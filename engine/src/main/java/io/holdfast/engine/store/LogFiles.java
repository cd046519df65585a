package io.holdfast.engine.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of RocksDB's write-ahead log files. */
final class LogFiles {
  private static final Pattern NAME = Pattern.compile("(\\d{1,18})\\.log");

  private LogFiles() {}

  /** The numbers of all log files in a directory, in order. */
  static List<Long> in(Path directory) throws IOException {
    List<Long> numbers = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.log")) {
      for (Path file : files) {
        Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
        if (name.matches()) {
          numbers.add(Long.parseLong(name.group(1)));
        }
      }
    }
    numbers.sort(null);
    return numbers;
  }

  static Path path(Path directory, long number) {
    return directory.resolve(name(number));
  }

  static String name(long number) {
    return String.format(Locale.ROOT, "%06d.log", number);
  }
}
