package io.holdfast.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/** The rows a store should hold, and a source of random changes to both. */
final class Model {
  private static final byte[] TAGS = {Tables.MESSAGES, Tables.HOLES, Tables.NAMES};
  private static final byte[] LETTERS = {0, 1, 0x7f, (byte) 0x80, (byte) 0xff};
  private static final byte[] EVERYTHING_FROM = Tables.start(Tables.QUEUES);
  private static final byte[] EVERYTHING_TO = Tables.start(Tables.END);

  private final NavigableMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
  private final Random random;
  private int values;

  Model(Random random) {
    this.random = random;
  }

  Model copy() {
    Model copy = new Model(new Random(0));
    copy.rows.putAll(rows);
    return copy;
  }

  NavigableMap<byte[], byte[]> rows() {
    return rows;
  }

  byte[] randomKey() {
    byte[] key = new byte[1 + random.nextInt(3)];
    key[0] = TAGS[random.nextInt(TAGS.length)];
    for (int i = 1; i < key.length; i++) {
      key[i] = LETTERS[random.nextInt(LETTERS.length)];
    }
    return key;
  }

  /** One random write to a batch and to these rows. */
  void change(Tx tx) {
    byte[] key = randomKey();
    int choice = random.nextInt(20);
    if (choice < 13) {
      byte[] value = Tables.utf8(String.valueOf(values++));
      tx.put(key, value);
      rows.put(key, value);
    } else if (choice < 18) {
      tx.delete(key);
      rows.remove(key);
    } else {
      byte[] to = randomKey();
      tx.deleteRange(key, to);
      if (Arrays.compareUnsigned(key, to) < 0) {
        rows.subMap(key, true, to, false).clear();
      }
    }
  }

  /** A few random reads of a view must find these rows. */
  void compareSome(View view) {
    byte[] key = randomKey();
    assertThat(view.get(key)).isEqualTo(rows.get(key));
    byte[] to = randomKey();
    if (random.nextBoolean()) {
      assertThat(list(view.scan(key, to))).isEqualTo(expected(key, to, false));
    } else {
      assertThat(list(view.scanBack(key, to))).isEqualTo(expected(key, to, true));
    }
  }

  void compareAll(View view) {
    assertThat(list(view.scan(EVERYTHING_FROM, EVERYTHING_TO)))
        .isEqualTo(expected(EVERYTHING_FROM, EVERYTHING_TO, false));
    assertThat(list(view.scanBack(EVERYTHING_FROM, EVERYTHING_TO)))
        .isEqualTo(expected(EVERYTHING_FROM, EVERYTHING_TO, true));
  }

  private List<String> expected(byte[] from, byte[] to, boolean back) {
    List<String> list = new ArrayList<>();
    if (Arrays.compareUnsigned(from, to) < 0) {
      NavigableMap<byte[], byte[]> range = rows.subMap(from, true, to, false);
      (back ? range.descendingMap() : range)
          .forEach((key, value) -> list.add(text(key) + "=" + text(value)));
    }
    return list;
  }

  static List<String> list(Rows rows) {
    List<String> list = new ArrayList<>();
    try (rows) {
      while (rows.next()) {
        list.add(text(rows.key()) + "=" + text(rows.value()));
      }
    }
    return list;
  }

  private static String text(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
