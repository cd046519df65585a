package io.holdfast.engine.logic;

import io.holdfast.api.InvalidArgumentException;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.engine.command.ByteReader;
import io.holdfast.engine.command.ByteWriter;
import io.holdfast.engine.store.StoreException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The options of a queue in its row: those that differ from the values that a row without them
 * stands for.
 *
 * @param unnamed these values. They never change, so a queue keeps its options when a later version
 *     has other defaults: a queue that is made with another default has it in its row
 */
record OptionsRow(QueueOptions unnamed) {
  /**
   * That of all stores. When the default of an option changes, its first default goes here: {@code
   * QueueOptions.DEFAULTS.with(option, first)}.
   */
  static final OptionsRow STORED = new OptionsRow(QueueOptions.DEFAULTS);

  void write(ByteWriter out, QueueOptions options) {
    List<QueueOption> named = new ArrayList<>();
    for (QueueOption option : QueueOption.values()) {
      if (!options.get(option).equals(unnamed.get(option))) {
        named.add(option);
      }
    }
    out.varint(named.size());
    for (QueueOption option : named) {
      out.text(option.wireName());
      switch (options.get(option)) {
        case Long number -> out.byte1('n').varint(number);
        case Boolean flag -> out.byte1('b').flag(flag);
        case Object text -> out.byte1('t').text((String) text);
      }
    }
  }

  /**
   * Reads the options of a queue.
   *
   * @throws StoreException if this version does not know one of them, or its value
   */
  QueueOptions read(ByteReader in, String queue) {
    Map<QueueOption, Object> named = new EnumMap<>(QueueOption.class);
    for (int left = in.count(); left > 0; left--) {
      String name = in.text();
      Object value =
          switch (in.byte1()) {
            case 'n' -> in.varint();
            case 'b' -> in.flag();
            default -> in.text();
          };
      try {
        QueueOption option = QueueOption.named(name);
        unnamed.with(option, value);
        named.put(option, value);
      } catch (InvalidArgumentException unknown) {
        throw new StoreException(
            "The queue "
                + queue
                + " has the option "
                + name
                + " = "
                + value
                + ", which this version of Holdfast does not know ("
                + unknown.getMessage()
                + "). Run the newer version that stored it.",
            unknown);
      }
    }
    return unnamed.with(named);
  }
}
