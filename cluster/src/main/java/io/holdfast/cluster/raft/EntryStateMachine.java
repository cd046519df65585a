package io.holdfast.cluster.raft;

import io.holdfast.engine.Replica;
import io.holdfast.engine.command.LogPosition;
import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects a replica to Ratis: committed entries and changes of the leader go to it.
 *
 * <p>Answers do not go through Ratis: the replica has the proposal with those who wait. So an entry
 * counts as done when it was handed over.
 *
 * <p>Thread: Ratis calls it on several; those that apply entries are one.
 */
final class EntryStateMachine extends BaseStateMachine {
  private static final Logger LOG = LoggerFactory.getLogger(EntryStateMachine.class);

  private static final CompletableFuture<Message> DONE =
      CompletableFuture.completedFuture(Message.EMPTY);

  private final Replica replica;
  private final Handover handover;
  private final Proposals proposals;
  private final CheckpointInstall install;
  private final NodeFailure failure;
  private final LeaderListener leaders;
  private final AtomicLong handedOver = new AtomicLong();

  private volatile @Nullable DirectorySync directory;
  private volatile @Nullable StoredRows stored;
  private volatile boolean removed;

  /** The term of the last entry with members that was applied: a leader begins with one. */
  private volatile long membersTerm;

  /** Hears who leads; null if nobody is known to. */
  @FunctionalInterface
  interface LeaderListener {
    void changed(@Nullable RaftPeerId leader);
  }

  EntryStateMachine(
      NodeParts parts, Proposals proposals, NodeFailure failure, LeaderListener leaders) {
    this.replica = parts.state().replica();
    this.handover = new Handover(replica);
    this.proposals = proposals;
    this.install = new CheckpointInstall(parts.state(), parts.fetcher());
    this.failure = failure;
    this.leaders = leaders;
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
      throws IOException {
    super.initialize(server, group, storage);
    DirectorySync sync = new DirectorySync(storage.getStorageDir().getCurrentDir().toPath());
    sync.sync();
    directory = sync;
    getLifeCycle().startAndTransition(this::readPosition);
  }

  /** A checkpoint has replaced the rows. */
  @Override
  public void reinitialize() {
    getLifeCycle().startAndTransition(this::readPosition);
  }

  private void readPosition() {
    LogPosition position = replica.applied();
    noteStored(position);
    if (!position.equals(LogPosition.START)) {
      setLastAppliedTermIndex(TermIndex.valueOf(position.term(), position.index()));
    }
  }

  /** Ratis must see the state paused before it reads the rows of a checkpoint. */
  @Override
  public void pause() {
    getLifeCycle().transition(LifeCycle.State.PAUSING);
    getLifeCycle().transition(LifeCycle.State.PAUSED);
  }

  /** The rows contain the log up to a position, also after a power cut. */
  void noteStored(LogPosition position) {
    stored = position.equals(LogPosition.START) ? null : new StoredRows(position);
  }

  @Override
  public @Nullable SnapshotInfo getLatestSnapshot() {
    return stored;
  }

  /** The index up to which the rows are stored; -1 before the first. */
  long storedIndex() {
    StoredRows rows = stored;
    return rows == null ? -1 : rows.getIndex();
  }

  /** The bytes of all entries that were handed over. */
  long bytesHandedOver() {
    return handedOver.get();
  }

  /** Syncs the names of the log's files, if they may have changed. */
  void syncDirectory() throws IOException {
    DirectorySync sync = directory;
    if (sync != null) {
      sync.sync();
    }
  }

  /** Only this process proposes; whatever comes over the network is no proposal. */
  @Override
  public TransactionContext startTransaction(RaftClientRequest request) {
    TransactionContext.Builder context =
        TransactionContext.newBuilder().setStateMachine(this).setClientRequest(request);
    if (request.getMessage() instanceof Ticket ticket) {
      return context.setLogData(ticket.getContent()).setStateMachineContext(ticket).build();
    }
    return context
        .build()
        .setException(new IOException("This cluster takes no entries from outside."));
  }

  @Override
  public TransactionContext preAppendTransaction(TransactionContext context)
      throws StateMachineException {
    if (!(context.getStateMachineContext() instanceof Ticket ticket)) {
      throw new StateMachineException("No proposal of this node", new IOException(), false);
    }
    long term = info().getCurrentTerm();
    if (ticket.term() != term) {
      throw new StateMachineException(
          "The proposal is of term " + ticket.term() + ", and this is term " + term,
          new IOException(),
          false);
    }
    if (!ticket.append()) {
      throw new StateMachineException("The proposal has ended", new IOException(), false);
    }
    return context;
  }

  @Override
  public TransactionContext cancelTransaction(TransactionContext context) {
    return context;
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext context) {
    LogEntryProto entry = context.getLogEntry();
    StateMachineLogEntryProto content = entry.getStateMachineLogEntry();
    Ticket ticket = proposals.take(content);
    byte[] bytes = ticket == null ? content.getLogData().toByteArray() : ticket.bytes();
    handover.committed(
        new LogPosition(entry.getTerm(), entry.getIndex()),
        bytes,
        ticket == null ? null : ticket.proposal());
    handedOver.addAndGet(bytes.length);
    updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
    return DONE;
  }

  @Override
  public CompletableFuture<Message> query(Message request) {
    return CompletableFuture.failedFuture(
        new IOException("This cluster takes no queries from outside."));
  }

  /**
   * Called on the thread that applies entries, after all of earlier terms: right after the entry
   * with which the leader begins its term.
   */
  @Override
  public void notifyLeaderReady() {
    DivisionInfo info = info();
    long term = membersTerm;
    handover.lead(term);
    // Leadership may have ended before the replica heard of it.
    if (!info.isLeader() || info.getCurrentTerm() != term) {
      handover.follow();
    }
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    handover.follow();
    leaders.changed(null);
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
    leaders.changed(leader);
  }

  @Override
  public void notifyExtendedNoLeader(RoleInfoProto role) {
    LOG.warn("There is no leader: this node reaches no majority of the cluster.");
    leaders.changed(null);
  }

  private DivisionInfo info() {
    try {
      return getServer().join().getDivision(getGroupId()).getInfo();
    } catch (IOException closed) {
      throw new IllegalStateException("The log was closed.", closed);
    }
  }

  /** Called on the thread of the log before each sync: nothing may count as stored without this. */
  @Override
  public CompletableFuture<Void> flush(long index) {
    try {
      syncDirectory();
      return CompletableFuture.completedFuture(null);
    } catch (IOException failed) {
      notifyLogFailed(failed, null);
      return CompletableFuture.failedFuture(failed);
    }
  }

  /** Ratis takes null for a checkpoint that could not be installed. */
  @Override
  @SuppressWarnings("NullAway")
  public CompletableFuture<@Nullable TermIndex> notifyInstallSnapshotFromLeader(
      RoleInfoProto role, TermIndex firstInLog) {
    return install.start(Peers.member(role.getFollowerInfo().getLeaderInfo().getId()));
  }

  /** Ratis would stay leader and let every entry time out. */
  @Override
  public void notifyLogFailed(@Nullable Throwable cause, @Nullable LogEntryProto entry) {
    failure.report(
        "the log of the cluster cannot be written ("
            + cause
            + "). Check the disk, and start the node again.");
  }

  /** Remembers whether this node is a member: a node that was removed is closed by Ratis. */
  @Override
  public void notifyConfigurationChanged(
      long term, long index, RaftConfigurationProto configuration) {
    membersTerm = term;
    // Also while it is being removed: it may not hear of the end of that.
    removed =
        configuration.getPeersList().stream()
            .noneMatch(peer -> RaftPeerId.valueOf(peer.getId()).equals(getId()));
  }

  /** The other members refuse this node: it was removed while it was away. */
  @Override
  public void notifyServerShutdown(RoleInfoProto role, boolean all) {
    if (!all) {
      reportRemoved();
    }
  }

  private void reportRemoved() {
    failure.report(
        "it was removed from the cluster. To add it again, start it with an empty directory and"
            + " run: holdfast cluster add");
  }

  /** Stores are made by {@link LogKeeper}, not by Ratis. */
  @Override
  public long takeSnapshot() {
    return -1;
  }

  /** Ratis closes it when the node is closed, but also after an error. */
  @Override
  public void close() {
    if (removed) {
      reportRemoved();
    } else {
      failure.reportClosed();
    }
  }
}
