package io.holdfast.cluster.raft;

import java.util.regex.Pattern;

/**
 * A node as it is named at start: {@code n1=host:6650}.
 *
 * @param name the name that people use: letters, digits, dots, dashes and underscores
 * @param address host and port for the traffic between nodes
 */
public record NodeAddress(String name, String address) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  public NodeAddress {
    if (!NAME.matcher(name).matches()) {
      throw new ClusterException(
          "The node name \""
              + name
              + "\" must be 1 to 64 letters, digits, dots, dashes or underscores.");
    }
    if (portOf(address) < 0) {
      throw new ClusterException(
          "The address \"" + address + "\" of node " + name + " must be host:port.");
    }
  }

  /** The port of the address. */
  public int port() {
    return portOf(address);
  }

  /** The host of the address. */
  public String host() {
    String host = address.substring(0, address.lastIndexOf(':'));
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private static int portOf(String address) {
    int colon = address.lastIndexOf(':');
    try {
      int port = colon < 1 ? -1 : Integer.parseInt(address.substring(colon + 1));
      return port <= 65_535 ? port : -1;
    } catch (NumberFormatException notNumber) {
      return -1;
    }
  }
}
