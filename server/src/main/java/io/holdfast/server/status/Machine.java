package io.holdfast.server.status;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the process takes of its machine; -1 for what is not known.
 *
 * @param rss memory that is really there, as the system counts it
 */
public record Machine(
    long heapUsed,
    long heapMax,
    long rss,
    long diskBytes,
    long diskFreeBytes,
    long diskTotalBytes) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Pattern RSS = Pattern.compile("VmRSS:\\s+(\\d+) kB");
  private static final long KIB = 1024;

  static Machine now(Disk disk) {
    Runtime runtime = Runtime.getRuntime();
    return new Machine(
        runtime.totalMemory() - runtime.freeMemory(),
        runtime.maxMemory(),
        residentBytes(),
        disk.usedBytes(),
        disk.freeBytes(),
        disk.totalBytes());
  }

  /** Only Linux tells it in a file. */
  private static long residentBytes() {
    try {
      Matcher found = RSS.matcher(Files.exists(STATUS) ? Files.readString(STATUS) : "");
      return found.find() ? Long.parseLong(found.group(1)) * KIB : -1;
    } catch (IOException unreadable) {
      return -1;
    }
  }
}
