package io.holdfast.engine;

import io.holdfast.engine.command.LogPosition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The log of a cluster within this process, for tests: what the leader proposes is committed on all
 * nodes at once, or held until the test decides.
 */
final class SharedLog {
  private record Logged(LogPosition position, byte[] bytes) {}

  /** What was proposed and has no outcome yet. */
  record Held(Node by, byte[] bytes, EntryLog.Proposal proposal) {}

  /** A node's side of the log. */
  final class Node implements EntryLog {
    private @Nullable Replica replica;
    private int handedOver;

    @Override
    public void propose(long ofTerm, byte[] entry, Proposal proposal) {
      synchronized (SharedLog.this) {
        held.add(new Held(this, entry.clone(), proposal));
        if (!holds) {
          commitAll();
        }
      }
    }

    /** Begins to hand over entries, from the first one on. */
    void join(Replica joins) {
      synchronized (SharedLog.this) {
        replica = joins;
        handedOver = 0;
        nodes.add(this);
        catchUp(null, null);
      }
    }

    void leave() {
      synchronized (SharedLog.this) {
        nodes.remove(this);
      }
    }

    private void catchUp(@Nullable Node by, EntryLog.@Nullable Proposal proposal) {
      Replica to = replica;
      if (to == null) {
        return;
      }
      for (; handedOver < entries.size(); handedOver++) {
        Logged next = entries.get(handedOver);
        boolean own = by == this && handedOver == entries.size() - 1;
        to.committed(next.position, next.bytes, own ? proposal : null);
      }
    }
  }

  private final List<Node> nodes = new ArrayList<>();
  private final List<Logged> entries = new ArrayList<>();
  private final List<Held> held = new ArrayList<>();
  private boolean holds;
  private long term;

  synchronized Node node() {
    return new Node();
  }

  /** Makes a node the leader; the others follow. */
  synchronized void elect(Node leader) {
    term++;
    for (Node node : nodes) {
      if (node.replica != null) {
        if (node == leader) {
          node.replica.lead(term);
        } else {
          node.replica.follow();
        }
      }
    }
  }

  /** Keeps what is proposed from here on. */
  synchronized void hold() {
    holds = true;
  }

  /** Takes what was held, and commits at once again. */
  synchronized List<Held> release() {
    holds = false;
    List<Held> taken = List.copyOf(held);
    held.clear();
    return taken;
  }

  synchronized int heldCount() {
    return held.size();
  }

  synchronized int size() {
    return entries.size();
  }

  private void commitAll() {
    List<Held> taken = List.copyOf(held);
    held.clear();
    taken.forEach(this::commit);
  }

  synchronized void commit(Held next) {
    entries.add(new Logged(new LogPosition(term, entries.size() + 1L), next.bytes));
    nodes.forEach(node -> node.catchUp(next.by, next.proposal));
  }
}
