package io.holdfast.bench.http;

import io.holdfast.engine.EngineConfig.Durability;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a run of {@code bench http} is done.
 *
 * @param directory where to write; null for the usual place
 * @param serverOptions options of the server's JVM; the server of {@code serve} has none
 * @param serve the command that starts a server with its default settings
 * @param messages how many messages go in before memory is read
 * @param idleSeconds how long the server then has nothing to do
 */
public record HttpPlan(
    @Nullable Path directory,
    Durability durability,
    int seconds,
    Wire.Kind client,
    List<String> serverOptions,
    List<String> serve,
    long messages,
    int idleSeconds) {
  public HttpPlan {
    serverOptions = List.copyOf(serverOptions);
    serve = List.copyOf(serve);
  }

  String durabilityName() {
    return durability.name().toLowerCase(Locale.ROOT);
  }

  long measuredMs() {
    return seconds * 1000L;
  }

  long warmUpMs() {
    return Math.max(500, measuredMs() / 2);
  }
}
