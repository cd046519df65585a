package io.holdfast.cluster.raft;

import io.holdfast.engine.EntryLog.Proposal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The proposals of this node that have no outcome yet.
 *
 * <p>Each has one outcome: whoever takes it out of the map reports it. When leadership ends, Ratis
 * fails all that are pending although their entries may still be committed; so a proposal is
 * refused only if it had not reached the log.
 *
 * <p>Bounded by {@link RaftSettings}: Ratis takes 64 entries or 64 MiB, and refuses more.
 *
 * <p>Thread: any.
 */
final class Proposals {
  private static final Logger LOG = LoggerFactory.getLogger(Proposals.class);

  private final ClientId client = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();
  private final ConcurrentMap<Long, Ticket> open = new ConcurrentHashMap<>();

  /** The log of the cluster; null before it has started. */
  private RaftServer.@Nullable Division division;

  /** From now on proposals are taken. */
  synchronized void start(RaftServer.Division started) {
    division = started;
  }

  /** From now on proposals are refused, and those without an outcome end. */
  void stop() {
    synchronized (this) {
      division = null;
    }
    open.values().forEach(this::failed);
  }

  private synchronized RaftServer.@Nullable Division division() {
    return division;
  }

  /** Proposes an entry. Never throws: the caller is the thread of the shard. */
  void propose(long term, byte[] entry, Proposal proposal) {
    Ticket ticket = new Ticket(calls.incrementAndGet(), term, entry, proposal);
    open.put(ticket.call(), ticket);
    try {
      RaftServer.Division log = division();
      if (log == null || entry.length > RaftSettings.ENTRY_BYTES_MAX) {
        if (log != null) {
          LOG.error(
              "An entry of {} bytes was refused: the log takes at most {}.",
              entry.length,
              RaftSettings.ENTRY_BYTES_MAX);
        }
        failed(ticket);
        return;
      }
      submit(log, ticket);
    } catch (Exception | Error unexpected) {
      LOG.debug("A proposal failed.", unexpected);
      failed(ticket);
    }
  }

  private void submit(RaftServer.Division log, Ticket ticket) throws Exception {
    // The server's own method changes threads twice, and takes a third of the entries.
    RaftClientAsynchronousProtocol direct = (RaftClientAsynchronousProtocol) log;
    CompletableFuture<?> _ =
        direct
            .submitClientRequestAsync(request(log.getMemberId().getPeerId(), log, ticket))
            .whenComplete(
                (reply, failure) -> {
                  if (failure != null || !isDone(reply)) {
                    failed(ticket);
                  }
                });
  }

  private static boolean isDone(@Nullable RaftClientReply reply) {
    return reply != null && reply.isSuccess();
  }

  private RaftClientRequest request(RaftPeerId self, RaftServer.Division log, Ticket ticket) {
    RaftGroupId group = log.getMemberId().getGroupId();
    return RaftClientRequest.newBuilder()
        .setClientId(client)
        .setServerId(self)
        .setGroupId(group)
        .setCallId(ticket.call())
        .setMessage(ticket)
        .setType(RaftClientRequest.writeRequestType())
        .build();
  }

  /** Takes the proposal of a committed entry; null if it was made elsewhere, or has ended. */
  @Nullable Ticket take(StateMachineLogEntryProto entry) {
    if (!entry.getClientId().equals(client.toByteString())) {
      return null;
    }
    return open.remove(entry.getCallId());
  }

  /** The number of proposals without an outcome. */
  int count() {
    return open.size();
  }

  private void failed(Ticket ticket) {
    if (open.remove(ticket.call(), ticket)) {
      try {
        if (ticket.refuse()) {
          ticket.proposal().refused();
        } else {
          ticket.proposal().unknown();
        }
      } catch (RuntimeException unexpected) {
        LOG.error("A proposal could not be ended.", unexpected);
      }
    }
  }
}
