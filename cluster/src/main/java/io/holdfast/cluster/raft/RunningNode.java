package io.holdfast.cluster.raft;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node that listens, and has a log as soon as it belongs to a cluster.
 *
 * <p>Thread: any; one thread starts it.
 */
final class RunningNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunningNode.class);

  /** Ratis is known to wait for itself at times; nothing is lost if it is left alone. */
  private static final Duration CLOSE_MAX = Duration.ofSeconds(15);

  private final RaftConfig config;
  private final NodeDirectory directory;
  private final NodeChannels channels;
  private final Proposals proposals;
  private final NodeParts parts;
  private final NodeFailure failure;
  private final EntryStateMachine machine;

  private @Nullable RaftServer server;
  private @Nullable FirstStartThread firstStart;
  private volatile @Nullable Log log;

  /** The log, and what works on it. */
  private record Log(
      RaftServer.Division division, Membership membership, LogKeeper keeper, NodeUpkeep upkeep) {}

  RunningNode(
      RaftConfig config,
      NodeDirectory directory,
      NodeChannels channels,
      Proposals proposals,
      NodeParts parts) {
    RatisProcess.protect();
    this.config = config;
    this.directory = directory;
    this.channels = channels;
    this.proposals = proposals;
    this.parts = parts;
    this.failure = new NodeFailure(parts.events()::failed);
    this.machine = new EntryStateMachine(parts, proposals, failure, this::leaderChanged);
  }

  void start() {
    NodeFile identity = directory.identity();
    UUID cluster = identity.cluster();
    if (cluster != null && identity.started()) {
      LogGuard.check(directory.log(cluster), parts.state().replica().applied());
    }
    RaftServer listening =
        listen(cluster == null ? null : Peers.group(cluster, identity.members()));
    if (cluster != null) {
      run(listening, cluster);
    } else {
      Member self = new Member(identity.id(), config.self().address(), config.clientAddress());
      FirstStartThread first =
          new FirstStartThread(
              new FirstStart(config, self, parts.probe()), this::beginFirst, failure);
      firstStart = first;
      first.start();
    }
  }

  /**
   * Listens, and opens the log of a node that belongs to a cluster; it is made if the node was
   * stopped before that.
   */
  private RaftServer listen(@Nullable RaftGroup group) {
    try {
      RaftServer built =
          RaftServer.newBuilder()
              .setGroup(group)
              .setOption(RaftStorage.StartupOption.RECOVER)
              .setServerId(RaftPeerId.valueOf(directory.identity().id()))
              .setStateMachine(machine)
              .setProperties(RaftSettings.of(config, directory.logs()))
              .setParameters(
                  channels.parameters(
                      new NodeServices(
                          parts.services(),
                          machine,
                          RaftPeerId.valueOf(directory.identity().id()))))
              .build();
      server = built;
      built.start();
      return built;
    } catch (IOException | RuntimeException failed) {
      throw new ClusterException(
          "The node cannot be started on "
              + config.listenHost()
              + ":"
              + config.self().port()
              + ": "
              + rootMessage(failed),
          failed);
    }
  }

  private static String rootMessage(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }

  /** Makes the log of a node that has found its cluster. */
  private void beginFirst(UUID cluster, List<Member> founders) {
    RaftServer listening = server;
    if (listening == null) {
      return;
    }
    directory.join(cluster, founders);
    GroupManagementRequest request =
        GroupManagementRequest.newAdd(
            ClientId.randomId(),
            listening.getId(),
            CallId.getAndIncrement(),
            Peers.group(cluster, founders));
    try {
      RaftClientReply reply = listening.groupManagementAsync(request).get();
      if (!reply.isSuccess()) {
        throw new ClusterException("The log cannot be made.", reply.getException());
      }
    } catch (ExecutionException failed) {
      throw new ClusterException("The log cannot be made: " + rootMessage(failed), failed);
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
      throw new ClusterException("The node was closed while it started.", closing);
    }
    run(listening, cluster);
  }

  private void run(RaftServer listening, UUID cluster) {
    RaftServer.Division division;
    try {
      directory.logExists();
      division = listening.getDivision(RaftGroupId.valueOf(cluster));
    } catch (IOException failed) {
      throw new ClusterException("The log cannot be opened: " + rootMessage(failed), failed);
    }
    Path current = division.getRaftStorage().getStorageDir().getCurrentDir().toPath();
    Membership membership = new Membership(listening, division);
    LogKeeper keeper =
        new LogKeeper(parts.state().replica(), machine, division.getRaftLog(), current, config);
    NodeUpkeep upkeep = new NodeUpkeep(keeper, membership, parts.mayLead());
    log = new Log(division, membership, keeper, upkeep);
    proposals.start(division);
    upkeep.start();
  }

  private void leaderChanged(@Nullable RaftPeerId id) {
    Member leader = null;
    if (id != null) {
      Log begun = log;
      leader =
          begun == null
              ? directory.identity().members().stream()
                  .filter(member -> member.id().equals(id.toString()))
                  .findFirst()
                  .orElse(null)
              : LogStatus.member(begun.division().getRaftConf(), id);
    }
    parts.events().leaderChanged(leader);
  }

  @Nullable Membership membership() {
    Log begun = log;
    return begun == null ? null : begun.membership();
  }

  @Nullable Member leader() {
    Log begun = log;
    return begun == null ? null : LogStatus.leader(begun.division());
  }

  RaftStatus status() {
    Log begun = log;
    if (begun == null) {
      return RaftStatus.NONE;
    }
    DivisionInfo info = begun.division().getInfo();
    RaftLog entries = begun.division().getRaftLog();
    LogStatus leadership = LogStatus.of(begun.division());
    TermIndex last = entries.getLastEntryTermIndex();
    return new RaftStatus(
        true,
        leadership.leading(),
        leadership.leader(),
        info.getCurrentTerm(),
        entries.getLastCommittedIndex(),
        last == null ? machine.storedIndex() : last.getIndex(),
        info.getLastAppliedIndex(),
        machine.storedIndex(),
        begun.keeper().logBytes(),
        leadership.followers());
  }

  CompletableFuture<Long> snapshot() {
    Log begun = log;
    if (begun == null) {
      return RaftNode.notStarted();
    }
    CompletableFuture<Long> done = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("holdfast-snapshot")
        .start(
            () -> {
              try {
                done.complete(begun.keeper().flush());
              } catch (Exception | Error failed) {
                done.completeExceptionally(
                    new ClusterException("The rows were not stored: " + failed, failed));
              }
            });
    return done;
  }

  @Override
  public void close() {
    failure.expectClose();
    if (firstStart != null) {
      firstStart.close();
    }
    Log begun = log;
    if (begun != null) {
      begun.upkeep().close();
    }
    proposals.stop();
    RaftServer listening = server;
    if (listening != null) {
      close(listening);
    }
  }

  private static void close(RaftServer listening) {
    Thread closing =
        Thread.ofPlatform()
            .daemon()
            .name("holdfast-close")
            .start(
                () -> {
                  try {
                    listening.close();
                  } catch (IOException | RuntimeException failed) {
                    LOG.warn("The log was not closed properly.", failed);
                  }
                });
    try {
      if (!closing.join(CLOSE_MAX)) {
        LOG.warn("The log was not closed within {} s and is left.", CLOSE_MAX.toSeconds());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
