package io.holdfast.cli.demo;

import io.holdfast.api.Broker;
import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import io.holdfast.engine.EngineConfig.Durability;
import io.holdfast.server.HoldfastServer;
import io.holdfast.server.ServerConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A temporary broker with an HTTP server, and producers, consumers, tasks and a flow in this
 * process.
 */
public final class Demo implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(200);

  private final Broker broker;
  private final HoldfastServer server;
  private final Shop shop;
  private final Garden garden;
  private final Approval approval;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Starts it.
   *
   * @param data an empty directory
   * @param port 0 for any that is free
   * @throws IllegalStateException if it cannot listen there
   */
  public Demo(Path data, int port) {
    broker = EmbeddedBroker.open(EngineConfig.at(data).durability(Durability.OS));
    try {
      server = HoldfastServer.start(ServerConfig.defaults().port(port), broker);
    } catch (IllegalStateException unheard) {
      broker.close();
      throw unheard;
    }
    shop = new Shop(broker);
    garden = new Garden(broker);
    approval = new Approval(broker);
  }

  public String url() {
    return "http://127.0.0.1:" + server.port();
  }

  /**
   * Prints the steps of the tour, each as soon as there is something to see.
   *
   * @param launcher how the user calls the command line
   */
  public void guide(String launcher, Consumer<String> say) throws InterruptedException {
    int number = 0;
    for (Tour.Stop stop : new Tour(url(), launcher).stops()) {
      while (!stop.ready().test(broker)) {
        Thread.sleep(LOOK);
      }
      say.accept("");
      say.accept(++number + ". " + stop.title());
      stop.commands().forEach(command -> say.accept("   " + command));
    }
    say.accept("");
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      shop.close();
      garden.close();
      approval.close();
      // It closes the broker.
      server.close();
    }
  }
}
