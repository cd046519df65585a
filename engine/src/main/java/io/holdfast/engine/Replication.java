package io.holdfast.engine;

import io.holdfast.api.ErrorCode;
import io.holdfast.api.Refusal;
import io.holdfast.engine.EntryLog.Proposal;
import io.holdfast.engine.Orderer.OrderedTasks;
import io.holdfast.engine.command.Command;
import io.holdfast.engine.command.Entry;
import io.holdfast.engine.command.EntryCodec;
import io.holdfast.engine.command.LogPosition;
import io.holdfast.engine.command.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How a shard follows the log of a cluster: what waits is proposed to the log, and what the log has
 * committed is applied.
 *
 * <pre>
 *   mailbox -> Orderer -> entry -> EntryLog ... committed on every node -> Applier -> answers
 * </pre>
 *
 * <p>Invariant: calls are taken only while this node leads and has applied all entries of earlier
 * terms. Every proposal ends once: committed, refused, or with an unknown outcome.
 *
 * <p>Thread: the log hands over what it has committed on one thread, and ends proposals on any;
 * {@link #propose} and {@link #apply} belong to the apply thread.
 */
final class Replication implements Replica {
  /** Most entries that were proposed and have no outcome yet; what comes meanwhile is grouped. */
  private static final int PROPOSALS_MAX = 4;

  /** No entry is proposed while those without an outcome have this many bytes. */
  private static final long PROPOSALS_BYTES_MAX = 8L << 20;

  /** Most bytes of committed entries that wait to be applied; a larger entry waits alone. */
  private static final int COMMITTED_BYTES_MAX = 32 << 20;

  /** So many marks are kept. */
  private static final int MARKS_MAX = 16;

  /** What an entry that waits to be applied takes besides its bytes. */
  private static final int ENTRY_BYTES = 256;

  /** What the log hands over, in its order. */
  private sealed interface Event {
    record Committed(LogPosition position, Entry entry, @Nullable InFlight proposal, int room)
        implements Event {}

    record Lead(long term) implements Event {}

    record Follow() implements Event {}

    /** A look at the state as this node has it, which other nodes may have changed since. */
    record LocalLook(Task.Look<?> look) implements Event {}
  }

  private final Shard shard;
  private final EntryLog log;
  private final Queue<Event> events = new ConcurrentLinkedQueue<>();
  private final Semaphore room = new Semaphore(COMMITTED_BYTES_MAX);
  private final Set<InFlight> inFlight = ConcurrentHashMap.newKeySet();
  private final AtomicLong bytesInFlight = new AtomicLong();
  private final AtomicBoolean stopped = new AtomicBoolean();

  /** The term in which this node leads; 0 if it does not. */
  private volatile long leads;

  /**
   * The last term in which it has begun to take calls. Not a flag: the apply thread may set it when
   * the node leads in a later term already, whose entries before it are not applied yet.
   */
  private volatile long takesCallsIn;

  private volatile List<AnswersMark> marks = List.of();

  /** Tasks that were taken from the mailbox and are not proposed yet. */
  private final List<Task> ordering = new ArrayList<>();

  Replication(Shard shard, EntryLog log) {
    this.shard = shard;
    this.log = log;
  }

  @Override
  public void committed(LogPosition position, byte[] bytes, @Nullable Proposal proposal) {
    int needed = Math.min(bytes.length + ENTRY_BYTES, COMMITTED_BYTES_MAX);
    room.acquireUninterruptibly(needed);
    if (shard.stopped() != null) {
      return;
    }
    InFlight own = proposal instanceof InFlight mine ? mine : null;
    try {
      Entry entry = own == null ? EntryCodec.read(bytes) : own.ordered.entry();
      add(new Event.Committed(position, entry, own, needed));
    } catch (RuntimeException unreadable) {
      shard.fail("read the entry of the log at " + position, unreadable);
      throw unreadable;
    }
  }

  @Override
  public void lead(long term) {
    leads = term;
    add(new Event.Lead(term));
  }

  @Override
  public void follow() {
    leads = 0;
    add(new Event.Follow());
  }

  /** The broker closes: nobody waits for what is on its way. */
  void close() {
    follow();
    inFlight.forEach(InFlight::unknown);
  }

  private void add(Event event) {
    events.add(event);
    shard.wake();
  }

  @Override
  public boolean isLeading() {
    return leads > 0 && leads == takesCallsIn;
  }

  @Override
  public LogPosition applied() {
    return shard.stored();
  }

  @Override
  public long appliedMs() {
    return shard.storedMs();
  }

  @Override
  public LogPosition flush() {
    return shard.flush();
  }

  /** Looks at the state of this node, whether it leads or not. */
  void lookHere(Task.Look<?> look) {
    Reply.Refused refusal = shard.stopped();
    if (refusal == null) {
      add(new Event.LocalLook(look));
      refusal = shard.stopped();
    }
    if (refusal != null) {
      look.stop(refusal);
    }
  }

  /** Why no call is taken; null while this node leads. */
  Reply.@Nullable Refused refusal() {
    return isLeading() ? null : notLeader();
  }

  private static Reply.Refused notLeader() {
    return new Reply.Refused(
        Refusal.of(
            ErrorCode.NOT_LEADER,
            "this node does not lead the cluster, and nothing was changed; ask the leader"));
  }

  private static Reply.Refused unknown() {
    return new Reply.Refused(
        Refusal.of(
            ErrorCode.OUTCOME_UNKNOWN,
            "the leader of the cluster changed while this was being done, so it may have been done"
                + " or not; look for its effect before you repeat it"));
  }

  /** Whether there is something for the apply thread to do. */
  boolean hasWork(Mailbox mailbox) {
    return !events.isEmpty() || (!mailbox.isEmpty() && (mayPropose() || !isLeading()));
  }

  private boolean mayPropose() {
    return isLeading()
        && inFlight.size() < PROPOSALS_MAX
        && bytesInFlight.get() < PROPOSALS_BYTES_MAX;
  }

  /** Proposes what waits in the mailbox, or refuses it if this node does not lead. */
  void propose(Orderer orderer, Mailbox mailbox, Applier applier, Batch batch, StampClock clock) {
    long term = takesCallsIn;
    if (!isLeading()) {
      refuseAll(mailbox);
      return;
    }
    while (mayPropose()) {
      OrderedTasks ordered =
          orderer.next(
              inFlight.isEmpty(),
              (task, encrypting) -> {
                ordering.add(task);
                return applier.screen(task, encrypting, batch, clock::nowMs);
              });
      if (ordered == null) {
        return;
      }
      if (isIdle(ordered)) {
        ordered.tasks().forEach(Replication::answer);
      } else {
        propose(term, ordered);
      }
      ordering.clear();
    }
  }

  /** Ordering has failed: what was taken from the mailbox is refused. */
  void refuseOrdering(Reply.Refused refusal) {
    ordering.forEach(task -> task.stop(refusal));
    ordering.clear();
  }

  private static void refuseAll(Mailbox mailbox) {
    Task task;
    while ((task = mailbox.poll()) != null) {
      task.stop(notLeader());
    }
  }

  /** Whether nothing is to be done but to answer ticks: nobody learns anything from that. */
  private static boolean isIdle(OrderedTasks ordered) {
    for (Task task : ordered.tasks()) {
      if (!(task instanceof Task.Answered known
          && known.asked().command() instanceof Command.Tick)) {
        return false;
      }
    }
    return true;
  }

  private static void answer(Task task) {
    if (task instanceof Task.Answered known) {
      known.asked().answer().complete(known.reply());
    }
  }

  private void propose(long term, OrderedTasks ordered) {
    byte[] bytes = EntryCodec.bytes(ordered.entry());
    InFlight proposal = new InFlight(ordered, bytes.length);
    inFlight.add(proposal);
    bytesInFlight.addAndGet(bytes.length);
    if (isLeading()) {
      log.propose(term, bytes, proposal);
    } else {
      proposal.refused();
    }
  }

  /** Applies what the log has handed over, as far as the batch has room. */
  void apply(Applier applier, Batch batch, StampClock clock) {
    Event event;
    while (!batch.isFull() && (event = events.poll()) != null) {
      switch (event) {
        case Event.Committed entry -> apply(entry, applier, batch, clock);
        case Event.Lead lead -> lead(lead.term(), clock, applier.state().lastMs());
        case Event.Follow follow -> shard.stopWaiting();
        case Event.LocalLook local -> {
          batch.add(local.look());
          applier.look(local.look(), batch, clock.nowMs());
        }
      }
    }
  }

  private void apply(Event.Committed next, Applier applier, Batch batch, StampClock clock) {
    room.release(next.room());
    List<Task> tasks = List.of();
    if (next.proposal() != null) {
      next.proposal().end();
      tasks = next.proposal().ordered.tasks();
      tasks.forEach(batch::add);
    }
    applier.apply(next.position(), next.entry(), tasks, batch, clock.nowMs());
    if (next.position().index() % MARK_ENTRIES == 0) {
      mark(new AnswersMark(next.position().index(), applier.state().answers.value()));
    }
  }

  private void mark(AnswersMark newest) {
    List<AnswersMark> all = new ArrayList<>(marks);
    all.add(newest);
    marks = List.copyOf(all.subList(Math.max(0, all.size() - MARKS_MAX), all.size()));
  }

  @Override
  public List<AnswersMark> marks() {
    return marks;
  }

  private void lead(long term, StampClock clock, long lastMs) {
    if (leads == term) {
      clock.takeOver(lastMs);
      takesCallsIn = term;
      shard.leads();
    }
  }

  /** The shard stopped: nothing is applied any more. */
  void stop() {
    leads = 0;
    if (stopped.compareAndSet(false, true)) {
      // A thread that hands over entries must not wait for ever.
      room.release(Integer.MAX_VALUE / 2);
    }
    inFlight.forEach(InFlight::unknown);
    events.forEach(
        event -> {
          if (event instanceof Event.LocalLook local && shard.stopped() != null) {
            local.look().stop(shard.stopped());
          }
        });
  }

  /** An entry that was proposed here, and the tasks that wait for it. */
  private final class InFlight implements Proposal {
    private final OrderedTasks ordered;
    private final int bytes;
    private final AtomicBoolean ended = new AtomicBoolean();

    InFlight(OrderedTasks ordered, int bytes) {
      this.ordered = ordered;
      this.bytes = bytes;
    }

    /** Makes room for another proposal; false if it has ended before. */
    boolean end() {
      if (!ended.compareAndSet(false, true)) {
        return false;
      }
      inFlight.remove(this);
      bytesInFlight.addAndGet(-bytes);
      return true;
    }

    @Override
    public void refused() {
      if (end()) {
        ordered.tasks().forEach(task -> task.stop(notLeader()));
        shard.wake();
      }
    }

    @Override
    public void unknown() {
      if (end()) {
        // Only a command can have had an effect.
        ordered
            .tasks()
            .forEach(
                task ->
                    task.stop(task instanceof Task.Apply ? Replication.unknown() : notLeader()));
        shard.wake();
      }
    }
  }
}
