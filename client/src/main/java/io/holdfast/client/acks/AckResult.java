package io.holdfast.client.acks;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of one request of acks.
 *
 * @param topic whose messages they are
 * @param subId the subscription that received them; empty if none was named
 * @param verdicts one for each bookmark, in their order
 * @param failure why the request had no answer, or was refused as a whole; null if it was answered
 */
public record AckResult(
    String topic, String subId, List<AckVerdict> verdicts, @Nullable RuntimeException failure) {
  public AckResult {
    verdicts = List.copyOf(verdicts);
  }

  /** Whether every message is settled as it was asked to be. */
  public boolean allApplied() {
    return verdicts.stream().allMatch(AckVerdict::isApplied);
  }

  /** The verdicts of those that were not applied. */
  public List<AckVerdict> notApplied() {
    return verdicts.stream().filter(verdict -> !verdict.isApplied()).toList();
  }

  public List<String> bookmarks() {
    return verdicts.stream().map(AckVerdict::bookmark).toList();
  }
}
