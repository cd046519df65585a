package io.holdfast.server.http;

import io.holdfast.json.IgnoredNames;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each name that a route ignored, once.
 *
 * <p>Thread: any.
 */
public final class IgnoredLog {
  /** Most names that are remembered, and so most lines. */
  private static final int NAMES_MAX = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(IgnoredLog.class);

  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  void write(Route route, IgnoredNames names) {
    for (String name : names.shown()) {
      if (logged.size() < NAMES_MAX && logged.add(name)) {
        LOG.warn(
            "Ignored {} of {} {}, because it has no effect here",
            name,
            route.method(),
            route.path());
      }
    }
  }
}
