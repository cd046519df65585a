package io.holdfast.bench.crash;

import io.holdfast.engine.EmbeddedBroker;
import io.holdfast.engine.EngineConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Rounds of load, kill and judgement on one data directory.
 *
 * <p>Some partitions are judged and emptied right after their round, the others one or two rounds
 * later, so that leases, delays and messages also live through several deaths.
 *
 * <p>Thread: one.
 */
public final class CrashRounds {
  /**
   * What came out.
   *
   * @param leases how often a lease was looked for and had to be there
   * @param delays how many delayed messages had to be there
   * @param violations what was wrong; empty if nothing was
   */
  public record Summary(
      int rounds, Tally tally, long leases, long delays, List<String> violations) {
    public Summary {
      violations = List.copyOf(violations);
    }
  }

  /** A partition is emptied up to this many rounds after its own. */
  private static final int LATER_ROUNDS = 3;

  private final Path root;
  private final int rounds;
  private final Lives lives;
  private final Random random;
  private final Consumer<String> progress;
  private final List<Pending> pending = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private Tally tally = Tally.NOTHING;
  private long leases;
  private long delays;

  private CrashRounds(Path root, int rounds, Lives lives, long seed, Consumer<String> progress) {
    this.root = root;
    this.rounds = rounds;
    this.lives = lives;
    this.random = new Random(seed);
    this.progress = progress;
  }

  /**
   * Rounds of an embedded broker.
   *
   * @param root an empty directory
   * @param answersMax a child is killed after a random number of answers, at most this many
   * @param seed decides what is done and when the kill comes, as far as that can be decided
   */
  public static CrashRounds embedded(
      Path root, int rounds, int answersMax, long seed, Consumer<String> progress) {
    return new CrashRounds(root, rounds, new EmbeddedLives(root, answersMax, seed), seed, progress);
  }

  /** Rounds of a server and its clients; the parameters are those of {@link #embedded}. */
  public static CrashRounds overHttp(
      Path root, int rounds, int answersMax, long seed, Consumer<String> progress) {
    return new CrashRounds(root, rounds, new HttpLives(root, answersMax, seed), seed, progress);
  }

  /** Runs the rounds; ends early when one of them found something wrong. */
  public Summary run() throws IOException, InterruptedException {
    int round = 0;
    while (round < rounds && violations.isEmpty()) {
      RoundLog log = new RoundLog(round, live(round));
      violations.addAll(log.violations());
      tally = tally.plus(log.tally());
      List<Ledger> ledgers = log.ledgers();
      for (int i = 0; i < ledgers.size(); i++) {
        pending.add(new Pending(ledgers.get(i), round, round + i % LATER_ROUNDS));
      }
      judgeAnyhow(round);
      round++;
      progress.accept(
          "round "
              + round
              + "/"
              + rounds
              + ": "
              + tally.pushes()
              + " pushes, "
              + tally.settles()
              + " settles, "
              + (tally.commits() + tally.transactions())
              + " commits acknowledged, "
              + violations.size()
              + " violations");
    }
    return new Summary(round, tally, leases, delays, violations);
  }

  /** One life; answers what was said in it. */
  private List<String> live(int round) throws IOException, InterruptedException {
    Lives.End end = lives.live(round, random);
    if (!end.complaint().isEmpty()) {
      violations.add("round " + round + ": it ended by itself and said: " + end.complaint());
    }
    return end.lines();
  }

  /** Judges; a directory that cannot be opened or used is a violation too. */
  private void judgeAnyhow(int round) {
    try {
      judge(round, round == rounds - 1);
    } catch (RuntimeException e) {
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      violations.add("round " + round + ": it cannot be judged: " + trace);
    }
  }

  private void judge(int round, boolean last) {
    try (EmbeddedBroker broker = EmbeddedBroker.open(EngineConfig.at(root.resolve("data")))) {
      List<Pending> later = new ArrayList<>();
      for (Pending partition : pending) {
        PartitionProbe probe = new PartitionProbe(broker, partition.ledger());
        leases += partition.ledger().sure().lease() == null ? 0 : 1;
        if (last || partition.emptyIn() <= round) {
          delays +=
              partition.ledger().sure().messages().values().stream()
                  .filter(entry -> entry.far())
                  .count();
          add(partition, Judge.violations(partition.ledger(), probe.facts()));
        } else {
          add(partition, Judge.leaseViolations(partition.ledger(), probe.leaseOpen()));
          later.add(partition);
        }
      }
      pending.clear();
      pending.addAll(later);
    }
  }

  private void add(Pending partition, List<String> found) {
    for (String violation : found) {
      violations.add("round " + partition.round() + ": " + violation);
    }
  }

  private record Pending(Ledger ledger, int round, int emptyIn) {}
}
