package io.holdfast.bench.crash;

import io.holdfast.api.lease.Settle.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One thing a worker does to its partition, as it writes it down before it does it: words with a
 * space between them.
 */
sealed interface Step {
  /** The word for nothing. */
  String NONE = "-";

  String text();

  /**
   * Pushes messages.
   *
   * @param atMs the wall clock before it
   */
  record Push(long atMs, List<Item> items) implements Step {
    /**
     * One message.
     *
     * @param name its payload, and its transactionId if it is named
     */
    record Item(String name, long delayMs, boolean named) {
      String text() {
        return name + "/" + delayMs + "/" + named;
      }

      static Item parse(String text) {
        String[] parts = text.split("/");
        return new Item(parts[0], Long.parseLong(parts[1]), Boolean.parseBoolean(parts[2]));
      }
    }

    @Override
    public String text() {
      StringBuilder line = new StringBuilder("PUSH ").append(atMs);
      items.forEach(item -> line.append(' ').append(item.text()));
      return line.toString();
    }
  }

  /** Pops, and acks in the same step all that is held. */
  record Pop(int batch, List<String> acks) implements Step {
    @Override
    public String text() {
      return words("POP " + batch, acks);
    }
  }

  /** Settles messages that are held. */
  record SettleHeld(Outcome outcome, List<String> names) implements Step {
    @Override
    public String text() {
      return words("SETTLE " + outcome, names);
    }
  }

  /** Extends the lease that is held. */
  record Extend() implements Step {
    @Override
    public String text() {
      return "EXTEND";
    }
  }

  /**
   * Appends to the journal, writes the record, pushes a message and acks one, all or none.
   *
   * @param ack what is acked; {@link #NONE} for nothing
   * @param position the position the journal is expected at
   */
  record Commit(String ack, long position, String push) implements Step {
    @Override
    public String text() {
      return "COMMIT " + ack + " " + position + " " + push;
    }
  }

  /** Acks messages that are held and pushes others, all or none. */
  record Transaction(List<String> acks, List<String> pushes) implements Step {
    @Override
    public String text() {
      return words(words("TRANSACTION " + acks.size(), acks), pushes);
    }
  }

  /** A commit that must be refused, because it expects the journal somewhere else. */
  record WrongCommit(String ack, long position, String push) implements Step {
    @Override
    public String text() {
      return "WRONGCOMMIT " + ack + " " + position + " " + push;
    }
  }

  static Step parse(String text) {
    List<String> words = Arrays.asList(text.split(" "));
    List<String> rest = words.subList(1, words.size());
    return switch (words.get(0)) {
      case "PUSH" -> {
        List<Push.Item> items = new ArrayList<>();
        rest.subList(1, rest.size()).forEach(word -> items.add(Push.Item.parse(word)));
        yield new Push(Long.parseLong(rest.get(0)), items);
      }
      case "POP" -> new Pop(Integer.parseInt(rest.get(0)), rest.subList(1, rest.size()));
      case "SETTLE" -> new SettleHeld(Outcome.valueOf(rest.get(0)), rest.subList(1, rest.size()));
      case "EXTEND" -> new Extend();
      case "COMMIT" -> new Commit(rest.get(0), Long.parseLong(rest.get(1)), rest.get(2));
      case "TRANSACTION" -> {
        int pushesFrom = 1 + Integer.parseInt(rest.get(0));
        yield new Transaction(rest.subList(1, pushesFrom), rest.subList(pushesFrom, rest.size()));
      }
      case "WRONGCOMMIT" -> new WrongCommit(rest.get(0), Long.parseLong(rest.get(1)), rest.get(2));
      default -> throw new IllegalArgumentException("step: expected one, but got " + text);
    };
  }

  private static String words(String first, List<String> others) {
    return others.isEmpty() ? first : first + " " + String.join(" ", others);
  }
}
