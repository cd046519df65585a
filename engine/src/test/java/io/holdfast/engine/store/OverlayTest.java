package io.holdfast.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OverlayTest {
  private static final byte[] KEY = Tables.record("a");
  private static final byte[] VALUE = {1};

  @Test
  void shouldMissNoRowOfABatchThatIsWrittenWhileAScanOpens() {
    OpeningSlowly base = new OpeningSlowly();
    Overlay overlay = new Overlay(base, null);
    OverlayTx earlier = (OverlayTx) overlay.begin();
    earlier.put(KEY, VALUE);
    Tx tx = overlay.begin();

    base.onceOpened.add(
        () -> {
          base.rows.put(KEY, VALUE);
          overlay.written(overlay.check(earlier));
        });

    assertThat(Model.list(tx.scan(Tables.start(Tables.RECORDS), Tables.end(Tables.RECORDS))))
        .hasSize(1);
  }

  @Test
  void shouldReadWhatIsWrittenFromTheBase() {
    OpeningSlowly base = new OpeningSlowly();
    Overlay overlay = new Overlay(base, null);
    OverlayTx earlier = (OverlayTx) overlay.begin();
    earlier.put(KEY, VALUE);
    Tx tx = overlay.begin();

    overlay.written(overlay.check(earlier));

    assertThat(tx.get(KEY)).isNull();
    assertThat(overlay.begin().get(KEY)).isNull();
  }

  /** Stored rows, where something happens just after a scan has fixed the moment it shows. */
  private static final class OpeningSlowly implements View {
    final NavigableMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
    final List<Runnable> onceOpened = new ArrayList<>();

    @Override
    public byte @Nullable [] get(byte[] key) {
      return new MemoryView(() -> rows).get(key);
    }

    @Override
    public Rows scan(byte[] from, byte[] to) {
      NavigableMap<byte[], byte[]> moment = new TreeMap<>(rows);
      onceOpened.forEach(Runnable::run);
      return new MemoryView(() -> moment).scan(from, to);
    }

    @Override
    public Rows scanBack(byte[] from, byte[] to) {
      throw new UnsupportedOperationException();
    }
  }
}
