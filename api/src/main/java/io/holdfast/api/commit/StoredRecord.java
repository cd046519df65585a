package io.holdfast.api.commit;

/**
 * A small versioned value.
 *
 * @param version greater with every write; 0 = there is no such record, and its value is empty
 */
public record StoredRecord(String key, long version, byte[] value) {
  public boolean exists() {
    return version > 0;
  }
}
