package io.holdfast.api.wire;

import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The codecs of what is no record: numbers, texts and the like. */
final class Scalars {
  private static final int LONG = 1;
  private static final int TEXT_VALUE = 2;
  private static final int TRUE = 3;
  private static final int FALSE = 4;

  private Scalars() {}

  private record Plain<T>(
      String name,
      @Nullable T absent,
      BiConsumer<WireOut, @Nullable T> writer,
      Function<WireIn, @Nullable T> reader)
      implements Codec<T> {
    @Override
    public void write(WireOut out, @Nullable T value) {
      writer.accept(out, value);
    }

    @Override
    public @Nullable T read(WireIn in) {
      return reader.apply(in);
    }
  }

  static final Codec<Long> NUMBER =
      new Plain<>("number", 0L, (out, value) -> out.number(present(value)), WireIn::number);

  static final Codec<Integer> SMALL_NUMBER =
      new Plain<>(
          "number",
          0,
          (out, value) -> out.number(present(value)),
          in -> {
            long value = in.number();
            if (value != (int) value) {
              throw new WireException("the body: expected 32 bits of a number, but got " + value);
            }
            return (int) value;
          });

  static final Codec<Boolean> TRUTH =
      new Plain<>(
          "truth",
          false,
          (out, value) -> out.octet(present(value) ? 1 : 0),
          in -> {
            int value = in.octet("a truth");
            if (value > 1) {
              throw new WireException("the body: expected 0 or 1 for a truth, but got " + value);
            }
            return value == 1;
          });

  static final Codec<String> TEXT = new Plain<>("text", null, WireOut::text, WireIn::text);

  static final Codec<byte[]> BYTES = new Plain<>("bytes", null, WireOut::bytes, WireIn::bytes);

  static final Codec<UUID> ID = new Plain<>("id", null, WireOut::id, WireIn::id);

  /** The value of an option, which says itself what it is. */
  static final Codec<Object> OPTION_VALUE =
      new Plain<>("value", null, Scalars::writeValue, Scalars::readValue);

  static final Codec<QueueOption> OPTION =
      new Plain<>(
          "option",
          null,
          (out, option) -> out.text(present(option).wireName()),
          in -> QueueOption.named(present(in.text())));

  static final Codec<QueueOptions> OPTIONS =
      new Plain<>("options", QueueOptions.DEFAULTS, Scalars::writeOptions, Scalars::readOptions);

  private static void writeValue(WireOut out, @Nullable Object value) {
    if (value == null) {
      out.octet(0);
    } else if (value instanceof Boolean flag) {
      out.octet(flag ? TRUE : FALSE);
    } else if (value instanceof String text) {
      out.octet(TEXT_VALUE);
      out.text(text);
    } else if (value instanceof Number number && isWhole(number)) {
      out.octet(LONG);
      out.number(number.longValue());
    } else {
      throw new IllegalArgumentException(
          "expected a text, whole number or truth for an option, but got "
              + value.getClass().getSimpleName());
    }
  }

  private static boolean isWhole(Number number) {
    return number instanceof Long || number instanceof Integer;
  }

  private static @Nullable Object readValue(WireIn in) {
    int kind = in.octet("the value of an option");
    return switch (kind) {
      case 0 -> null;
      case LONG -> in.number();
      case TEXT_VALUE -> in.text();
      case TRUE -> true;
      case FALSE -> false;
      default -> throw new WireException("the body: expected the value of an option at " + kind);
    };
  }

  private static void writeOptions(WireOut out, @Nullable QueueOptions options) {
    QueueOptions some = present(options);
    QueueOption[] all = QueueOption.values();
    out.unsigned(all.length);
    for (QueueOption option : all) {
      out.text(option.wireName());
      writeValue(out, some.get(option));
    }
  }

  private static QueueOptions readOptions(WireIn in) {
    Map<QueueOption, @Nullable Object> values = new EnumMap<>(QueueOption.class);
    for (int i = in.count(); i > 0; i--) {
      QueueOption option = known(present(in.text()));
      Object value = readValue(in);
      // A newer peer may have options that are unknown here.
      if (option != null) {
        values.put(option, value);
      }
    }
    return QueueOptions.of(values);
  }

  private static @Nullable QueueOption known(String name) {
    for (QueueOption option : QueueOption.values()) {
      if (option.wireName().equals(name)) {
        return option;
      }
    }
    return null;
  }

  static <T> T present(@Nullable T value) {
    if (value == null) {
      throw new WireException("the body: expected a value, but there is none");
    }
    return value;
  }
}
