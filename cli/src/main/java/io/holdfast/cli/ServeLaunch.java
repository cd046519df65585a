package io.holdfast.cli;

import io.holdfast.bench.ChildJvm;
import java.nio.file.Path;
import java.util.List;

/** How a bench starts a server in a process of its own: as a user does, if that is known. */
final class ServeLaunch {
  private static final String SERVE = "serve";

  private ServeLaunch() {}

  /** The command {@code holdfast serve} of the launcher that started this JVM, if one did. */
  static List<String> command() {
    String launcher = System.getProperty("holdfast.launcher");
    return launcher == null
        ? new ChildJvm(Main.class).command(List.of(SERVE)).command()
        : List.of(Path.of(launcher).toAbsolutePath().toString(), SERVE);
  }
}
