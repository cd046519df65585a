package io.holdfast.cli;

import io.holdfast.api.message.MessageState;
import io.holdfast.api.task.TaskStatus;
import java.util.Iterator;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The constants of an enum as words on the command line: {@code in-flight}. */
abstract class EnumWords<E extends Enum<E>> implements ITypeConverter<E>, Iterable<String> {
  private final Class<E> type;

  EnumWords(Class<E> type) {
    this.type = type;
  }

  /** The states of messages. */
  static final class States extends EnumWords<MessageState> {
    States() {
      super(MessageState.class);
    }
  }

  /** The statuses of tasks. */
  static final class Statuses extends EnumWords<TaskStatus> {
    Statuses() {
      super(TaskStatus.class);
    }
  }

  /** What {@code queues} is sorted by. */
  static final class Sorts extends EnumWords<QueueSort> {
    Sorts() {
      super(QueueSort.class);
    }
  }

  private static String word(Enum<?> constant) {
    return Words.json(constant).replace('_', '-');
  }

  @Override
  public E convert(String text) {
    String wanted = text.toLowerCase(Locale.ROOT).replace('_', '-');
    for (E constant : type.getEnumConstants()) {
      if (word(constant).equals(wanted)) {
        return constant;
      }
    }
    throw new TypeConversionException(
        "expected one of " + String.join(", ", this) + ", but got " + text);
  }

  @Override
  public Iterator<String> iterator() {
    return Stream.of(type.getEnumConstants()).<String>map(EnumWords::word).iterator();
  }
}
