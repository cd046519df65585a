package io.holdfast.cluster.raft;

import io.holdfast.engine.EntryLog.Proposal;
import java.util.concurrent.atomic.AtomicReference;

/** What became of a proposal. */
final class Outcome implements Proposal {
  private final AtomicReference<String> text = new AtomicReference<>("none");

  @Override
  public void refused() {
    end("refused");
  }

  @Override
  public void unknown() {
    end("unknown");
  }

  private void end(String outcome) {
    text.updateAndGet(before -> before.equals("none") ? outcome : before + " and " + outcome);
  }

  /** The outcome so far: none, refused or unknown. */
  String text() {
    return text.get();
  }
}
