package io.holdfast.cluster.raft;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a node with an empty directory does: it founds the cluster, it is one of those it
 * was founded with, it joins, or it has lost its data.
 *
 * <p>Each node draws an identity when it starts with an empty directory. The first node by name
 * founds the cluster once all others have told theirs; the others find it founded with theirs. A
 * node that finds its name in the cluster with another identity has lost its data: it must not vote
 * again under the old one, because it has forgotten what it has voted for and acknowledged.
 *
 * <p>Thread: one.
 */
final class FirstStart {
  private final RaftConfig config;
  private final Member self;
  private final NodeProbe probe;

  FirstStart(RaftConfig config, Member self, NodeProbe probe) {
    this.config = config;
    this.self = self;
    this.probe = probe;
  }

  /** What to do. */
  sealed interface Decision {
    /** Nothing yet: other nodes have not answered. */
    record Wait(String reason) implements Decision {}

    /**
     * Begin the log.
     *
     * @param members those that the cluster was founded with; empty on a node that is to be added
     */
    record Begin(UUID cluster, List<Member> members) implements Decision {}

    /** Do not start. */
    record Refuse(String reason) implements Decision {}
  }

  /** Asks all other nodes once, and decides. */
  Decision decide() {
    List<NodeState> answers = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    for (NodeAddress node : config.nodes()) {
      if (!node.name().equals(config.name())) {
        NodeState answer = ask(node, silent);
        if (answer != null) {
          answers.add(answer);
        }
      }
    }
    NodeState founded = null;
    for (NodeState answer : answers) {
      if (answer.cluster() != null) {
        if (founded != null && !answer.cluster().equals(founded.cluster())) {
          return new Decision.Refuse(
              "The nodes "
                  + founded.self().name()
                  + " and "
                  + answer.self().name()
                  + " belong to different clusters. Name nodes of one cluster only.");
        }
        // A member knows more than a node that waits to be added.
        founded = founded == null || founded.members().isEmpty() ? answer : founded;
      }
    }
    if (founded != null && founded.cluster() != null) {
      return join(founded.cluster(), founded.members());
    }
    return silent.isEmpty()
        ? found(answers)
        : new Decision.Wait("no answer from " + String.join(" and ", silent));
  }

  private @Nullable NodeState ask(NodeAddress node, List<String> silent) {
    String described = node.name() + " at " + node.address();
    try {
      NodeState answer = probe.ask(node.address());
      if (answer.self().name().equals(node.name())) {
        return answer;
      }
      silent.add(described + ", where node " + answer.self().name() + " answers");
    } catch (IOException away) {
      silent.add(described);
    }
    return null;
  }

  private Decision join(UUID cluster, List<Member> members) {
    if (members.isEmpty()) {
      return new Decision.Wait("no answer from a member of the cluster");
    }
    if (members.stream().anyMatch(member -> member.id().equals(self.id()))) {
      return new Decision.Begin(cluster, members);
    }
    boolean nameIsTaken = members.stream().anyMatch(member -> member.name().equals(self.name()));
    if (nameIsTaken && !config.replacement()) {
      return new Decision.Refuse(
          "The cluster has a member "
              + self.name()
              + ", but the directory "
              + config.directory()
              + " of this node is empty. A node that has lost its data must not continue under its"
              + " old identity, because acknowledged data could be lost. If its data are gone,"
              + " start it with --replace and run: holdfast cluster replace "
              + self.name()
              + ". If they are elsewhere, start it with that directory.");
    }
    return new Decision.Begin(cluster, List.of());
  }

  private Decision found(List<NodeState> others) {
    List<Member> members =
        Stream.concat(Stream.of(self), others.stream().map(NodeState::self))
            .sorted(Comparator.comparing(Member::name))
            .toList();
    Member first = members.getFirst();
    return first.equals(self)
        ? new Decision.Begin(UUID.randomUUID(), members)
        : new Decision.Wait("node " + first.name() + " is to found the cluster");
  }
}
