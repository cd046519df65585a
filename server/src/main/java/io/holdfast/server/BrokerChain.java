package io.holdfast.server;

import io.holdfast.api.Broker;
import io.holdfast.server.access.AuditedBroker;
import io.holdfast.server.access.CommitRoles;
import io.holdfast.server.access.GuardedBroker;
import io.holdfast.server.http.Authority;
import io.holdfast.server.http.Brokers;
import io.holdfast.server.status.Maintenance;
import java.util.function.Predicate;

/**
 * The steps between a route and the broker, in one order for all routes. A call passes, from the
 * route to the broker:
 *
 * <ol>
 *   <li>{@link CommitRoles}: each operation of a commit needs its role
 *   <li>{@link AuditedBroker}: acts of operators are written to the audit log
 *   <li>{@link GuardedBroker}: the caller's token must cover every name
 *   <li>{@link Maintenance}: while it lasts, pushes or pops are refused
 *   <li>the meters, which count what was done
 * </ol>
 *
 * <p>A route declares by its {@link Authority} at which step it enters.
 */
final class BrokerChain implements Brokers {
  private final Maintenance server;
  private final Broker route;
  private final Broker caller;

  /**
   * @param metered the broker with its meters
   * @param unaudited queues that a program of the server works with, whose acts are not audited
   */
  BrokerChain(Broker metered, Predicate<String> unaudited) {
    server = new Maintenance(metered);
    route = new AuditedBroker(new GuardedBroker(server), unaudited);
    caller = new CommitRoles(route);
  }

  @Override
  public Broker with(Authority authority) {
    return switch (authority) {
      case CALLER -> caller;
      case ROUTE -> route;
      case SERVER -> server;
    };
  }

  Maintenance maintenance() {
    return server;
  }
}
