package io.holdfast.cluster.raft;

/**
 * A node that is a member of a cluster, or wants to become one.
 *
 * @param id the identity in the log: the name and a number that a node draws when it starts with an
 *     empty directory, so that a node which has lost its data never votes under its old identity
 * @param address host and port for the traffic between nodes
 * @param clientAddress the address for clients, empty if unknown
 */
public record Member(String id, String address, String clientAddress) {
  /** Separates the name from the number. */
  static final char SEPARATOR = '~';

  /** The name that people use, such as {@code n1}. */
  public String name() {
    int end = id.lastIndexOf(SEPARATOR);
    return end < 0 ? id : id.substring(0, end);
  }
}
