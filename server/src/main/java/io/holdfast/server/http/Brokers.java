package io.holdfast.server.http;

import io.holdfast.api.Broker;

/** The brokers that routes ask: the same one, with the checks that an authority needs. */
@FunctionalInterface
public interface Brokers {
  Broker with(Authority authority);
}
