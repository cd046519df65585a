package io.holdfast.server.access;

import io.holdfast.server.http.Access;

/**
 * What somebody may do.
 *
 * @param id of the token
 * @param name that people gave it
 * @param names the queues, journals and records it is for
 */
public record Grant(String id, String name, Role role, NamePatterns names) {
  /** Whoever asks a server that has no tokens. */
  public static final Grant LOCAL = new Grant("local", "local", Role.ADMIN, NamePatterns.ALL);

  /** Whether it is for all queues there are. */
  public boolean isUnlimited() {
    return names.isAll();
  }

  public boolean may(Access access) {
    return role.has(access);
  }

  /** Whether it is for a queue, journal or record. */
  public boolean covers(String name) {
    return names.matches(name);
  }

  /** The token as sentences name it. */
  public String told() {
    return "the token " + id + " (" + name + ")";
  }
}
