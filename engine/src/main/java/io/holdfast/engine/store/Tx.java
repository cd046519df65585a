package io.holdfast.engine.store;

/**
 * A batch of writes that will be stored all or none, readable before it is.
 *
 * <p>Reads see this batch, then the batches begun before it that are not yet written, then the
 * stored rows. Keys and values are not copied: whoever passes an array gives it away.
 *
 * <p>Thread: one thread fills it; once handed to {@link Store#write} nobody changes it.
 */
public interface Tx extends View {
  void put(byte[] key, byte[] value);

  void delete(byte[] key);

  /** Deletes every row from {@code from} (inclusive) to {@code to} (exclusive). */
  void deleteRange(byte[] from, byte[] to);

  /** Takes back all its writes; reads of it must be closed. */
  void clear();

  /** How many writes it holds. */
  int writes();

  /** How many bytes of keys and values it holds. */
  long bytes();
}
