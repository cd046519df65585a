package io.holdfast.server.status;

import java.util.Map;

/**
 * What whoever starts a server tells about it.
 *
 * @param settings by name: texts, whole numbers and truths; no secrets
 */
public record About(Disk disk, Map<String, Object> settings) {
  /** Nothing was told. */
  public static final About NOTHING = new About(Disk.UNKNOWN, Map.of());

  public About {
    settings = Map.copyOf(settings);
  }
}
