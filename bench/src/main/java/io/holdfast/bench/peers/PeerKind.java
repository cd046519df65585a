package io.holdfast.bench.peers;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A message system that workloads can run against, if it is installed. */
public interface PeerKind {
  /** Its name in options and figures. */
  String name();

  /** What it has done before it answers a publish, in a few words. */
  String durability();

  /** How it is used here: client, commands, settings. */
  String use();

  /** Why it cannot be run and what to do about that; null if it can. */
  @Nullable String missing();

  /**
   * Starts a server on a free port and waits until it answers.
   *
   * @param directory an empty directory for its data and its output
   */
  Peer start(Path directory) throws IOException, InterruptedException;
}
