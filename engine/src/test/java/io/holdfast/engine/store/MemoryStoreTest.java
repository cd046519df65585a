package io.holdfast.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MemoryStoreTest extends StoreContract {
  @Override
  Store create() {
    return new MemoryStore();
  }

  @Override
  Store reopen(Store store) {
    return ((MemoryStore) store).reopen();
  }

  @Test
  void shouldFailWritesWhenToldTo() {
    MemoryStore store = new MemoryStore();
    Tx tx = store.begin();
    tx.put(Tables.record("a"), new byte[] {1});
    store.failWrites(new StoreException("The disk is full.", null));

    assertThatThrownBy(() -> store.write(tx, true))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("The disk is full.");
    assertThat(store.reopen().begin().get(Tables.record("a"))).isNull();
  }
}
