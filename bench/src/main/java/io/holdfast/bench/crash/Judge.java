package io.holdfast.bench.crash;

import io.holdfast.bench.crash.PartitionFacts.Delivered;
import io.holdfast.bench.crash.PartitionModel.Entry;
import io.holdfast.bench.crash.PartitionModel.State;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares what was acknowledged with what is there. */
final class Judge {
  /** How far the clocks of two processes that slew towards the wall may differ. */
  static final long CLOCK_SLACK_MS = 50;

  private Judge() {}

  /**
   * What is wrong; empty if the facts are what was acknowledged, with the step in doubt either done
   * as a whole or not at all.
   */
  static List<String> violations(Ledger ledger, PartitionFacts facts) {
    List<String> without = compare(ledger.sure(), facts);
    if (without.isEmpty() || ledger.inDoubt() == null) {
      return without;
    }
    List<String> with = compare(ledger.ifDone(), facts);
    if (with.isEmpty()) {
      return with;
    }
    List<String> violations = new ArrayList<>(without.size() <= with.size() ? without : with);
    violations.add("in doubt was: " + ledger.inDoubt().text());
    return violations;
  }

  /** Whether a lease of that many open messages is what must be there. */
  static List<String> leaseViolations(Ledger ledger, int open) {
    boolean right = ledger.sure().held() == open || ledger.ifDone().held() == open;
    return right ? List.of() : List.of(leaseText(ledger.sure(), open));
  }

  private static List<String> compare(PartitionModel model, PartitionFacts facts) {
    List<String> wrong = new ArrayList<>(facts.troubles());
    if (model.held() != facts.leaseOpen()) {
      wrong.add(leaseText(model, facts.leaseOpen()));
    }
    compareDeliveries(model.messages(), facts.delivered(), wrong);
    Set<String> delivered = new HashSet<>();
    facts.delivered().forEach(delivery -> delivered.add(delivery.name()));
    model.messages().forEach((name, entry) -> compareMessage(name, entry, delivered, facts, wrong));
    compareCommits(model.commits(), facts, wrong);
    return wrong;
  }

  private static String leaseText(PartitionModel model, int open) {
    return "lease " + model.lease() + ": expected " + model.held() + " open, but got " + open;
  }

  private static void compareDeliveries(
      Map<String, Entry> messages, List<Delivered> delivered, List<String> wrong) {
    Set<String> seen = new HashSet<>();
    long last = -1;
    for (Delivered delivery : delivered) {
      String name = delivery.name();
      Entry entry = messages.get(name);
      if (!seen.add(name)) {
        wrong.add(name + " was delivered twice");
      }
      if (delivery.seq() <= last) {
        wrong.add(name + " was delivered out of order");
      }
      last = delivery.seq();
      if (entry == null) {
        wrong.add(name + " was delivered, but nobody pushed it");
      } else {
        compareDelivery(entry, delivery, wrong);
      }
    }
  }

  private static void compareDelivery(Entry entry, Delivered delivery, List<String> wrong) {
    String name = delivery.name();
    if (entry.state() == State.ACKED || entry.state() == State.DEAD) {
      wrong.add("settle undone: " + name + " was delivered, but it is " + entry.state());
    }
    if (delivery.atMs() + CLOCK_SLACK_MS < entry.notBeforeMs()) {
      wrong.add(name + " was delivered " + (entry.notBeforeMs() - delivery.atMs()) + " ms early");
    }
    if (delivery.failures() != entry.failures()) {
      wrong.add(
          name + ": expected " + entry.failures() + " failures, but got " + delivery.failures());
    }
  }

  private static void compareMessage(
      String name, Entry entry, Set<String> delivered, PartitionFacts facts, List<String> wrong) {
    if (entry.deliverable() && !delivered.contains(name)) {
      wrong.add("push lost: " + name + " is " + entry.state() + " and was not delivered");
    }
    if (entry.far() && entry.state() == State.OPEN && !facts.farFound().contains(name)) {
      wrong.add("delay lost: " + name + " is not there");
    }
    if (entry.state() == State.DEAD && !facts.deadFound().contains(name)) {
      wrong.add("dead letter lost: " + name);
    }
    if (facts.forgotten().contains(name)) {
      wrong.add("name forgotten: " + name + " could be pushed again");
    }
  }

  private static void compareCommits(long commits, PartitionFacts facts, List<String> wrong) {
    List<String> expected = new ArrayList<>();
    for (long i = 0; i < commits; i++) {
      expected.add(Long.toString(i));
    }
    if (!facts.journal().equals(expected)) {
      wrong.add(
          "journal: expected the events 0 to " + (commits - 1) + ", but got " + facts.journal());
    }
    String value = commits == 0 ? "" : Long.toString(commits - 1);
    if (!facts.record().equals(value)) {
      wrong.add("record: expected '" + value + "', but got '" + facts.record() + "'");
    }
  }
}
