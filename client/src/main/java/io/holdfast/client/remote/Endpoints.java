package io.holdfast.client.remote;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of a broker, one of which is in use until it fails.
 *
 * <p>Thread: any.
 */
final class Endpoints {
  private final List<Endpoint> all;
  private volatile int current;

  Endpoints(RemoteConfig config) {
    all = config.addresses().stream().map(address -> new Endpoint(config, address)).toList();
  }

  /**
   * The one in use, or else the next that may be asked; null if all of them rest.
   *
   * @param parked whether the request may wait long for nothing
   */
  @Nullable Endpoint pick(boolean parked) {
    int first = current;
    for (int i = 0; i < all.size(); i++) {
      Endpoint one = all.get((first + i) % all.size());
      if (one.mayTry(parked)) {
        return one;
      }
    }
    return null;
  }

  void succeeded(Endpoint one) {
    one.succeeded();
  }

  /** The next address is in use from here on. */
  void failed(Endpoint one) {
    one.failed();
    int number = all.indexOf(one);
    if (number == current) {
      current = (number + 1) % all.size();
    }
  }

  void close() {
    all.forEach(Endpoint::close);
  }

  @Override
  public String toString() {
    return all.stream().map(one -> one.address().toString()).collect(Collectors.joining(", "));
  }
}
