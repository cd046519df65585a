package io.holdfast.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many files this process may have open. Each connection is one.
 *
 * <p>A connection that cannot be accepted for want of a file would be tried again and again, and
 * the store could not open its files. So it must not come to that.
 */
final class OpenFiles {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

  /** What the store, the libraries and the log may need besides. */
  static final int KEPT_FREE = 1_000;

  private OpenFiles() {}

  /** How many of the connections that are wanted may be there at once. */
  static int connections(int wanted) {
    int possible = connections(wanted, max());
    if (possible < wanted) {
      LOG.debug(
          "There may be {} connections at once, because this process may not have more files open.",
          possible);
    }
    return possible;
  }

  static int connections(int wanted, long filesMax) {
    // Where hardly any files are allowed, half of them are for connections.
    long free = Math.max(filesMax - KEPT_FREE, filesMax / 2);
    return (int) Math.max(1, Math.min(wanted, free));
  }

  /** The most files; where the system does not tell, as many as one likes. */
  static long max() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Integer.MAX_VALUE;
  }
}
