package io.holdfast.engine.logic;

import io.holdfast.api.message.Attempt;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a message that came back: its charges and when it may go out again. Its failed
 * attempts are in its row only.
 *
 * <p>Only the rules of this package change it; other packages read its public fields.
 */
public final class Returned {
  /** From this many expiries on a message is leased alone. */
  static final int ALONE_FROM = 2;

  /** Nacks. */
  public int failures;

  /** Lease expiries. */
  public int expiries;

  /** Deliveries of any outcome. */
  int deliveries;

  public long visibleAtMs;

  /** Whether a user gave that time; otherwise it came of a delay. */
  boolean atTime;

  /**
   * When it was requeued from the dead letters, from which its age counts; 0 if it was not. A
   * requeued message is stored in the table of requeued messages, because its lane may have trimmed
   * it.
   */
  long requeuedMs;

  /** The lease that holds it now; null while it waits. */
  public @Nullable Lease holder;

  /** Whether it must be leased alone. */
  boolean isAlone() {
    return expiries >= ALONE_FROM;
  }

  public boolean isRequeued() {
    return requeuedMs > 0;
  }

  byte[] row(List<Attempt> attempts) {
    ByteWriter out = new ByteWriter(32);
    out.varint(failures).varint(expiries).varint(deliveries).varint(visibleAtMs);
    out.varint(requeuedMs).flag(atTime);
    writeAttempts(out, attempts);
    return out.done();
  }

  public static Returned read(byte[] row) {
    ByteReader in = new ByteReader(row);
    Returned returned = new Returned();
    returned.failures = in.count();
    returned.expiries = in.count();
    returned.deliveries = in.count();
    returned.visibleAtMs = in.varint();
    returned.requeuedMs = in.varint();
    returned.atTime = in.flag();
    return returned;
  }

  /** The failed attempts that a row keeps, oldest first. */
  public static List<Attempt> attempts(byte @Nullable [] row) {
    if (row == null) {
      return List.of();
    }
    ByteReader in = new ByteReader(row);
    for (int counts = 5; counts > 0; counts--) {
      in.varint();
    }
    in.flag();
    return readAttempts(in);
  }

  /** The attempts with one more, the oldest forgotten if there are too many. */
  static List<Attempt> more(List<Attempt> attempts, Attempt newest) {
    List<Attempt> all = new ArrayList<>(attempts);
    all.add(newest);
    return all.size() > LogicLimits.ATTEMPTS_MAX
        ? all.subList(all.size() - LogicLimits.ATTEMPTS_MAX, all.size())
        : all;
  }

  static void writeAttempts(ByteWriter out, List<Attempt> attempts) {
    out.varint(attempts.size());
    for (Attempt attempt : attempts) {
      out.varint(attempt.number())
          .text(attempt.cause().name())
          .maybe(attempt.worker())
          .varint(attempt.leasedMs())
          .varint(attempt.endedMs())
          .maybe(attempt.error());
    }
  }

  static List<Attempt> readAttempts(ByteReader in) {
    List<Attempt> attempts = new ArrayList<>();
    for (int left = in.count(); left > 0; left--) {
      attempts.add(
          new Attempt(
              in.count(),
              Attempt.Cause.valueOf(in.text()),
              in.maybe(),
              in.varint(),
              in.varint(),
              in.maybe()));
    }
    return attempts;
  }
}
