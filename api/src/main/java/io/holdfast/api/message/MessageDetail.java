package io.holdfast.api.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All there is to know about a message.
 *
 * @param groups how each group of its queue sees it; of a queue without groups, empty
 * @param explain in words: where it is, and why it is not being delivered
 */
public record MessageDetail(Message message, List<GroupView> groups, String explain) {
  /**
   * One group's view.
   *
   * @param leaseId the lease that holds it; null if none does
   * @param leaseUntilMs until when; 0 if none does
   * @param visibleAtMs when it may be delivered; 0 if that is not a matter of time
   * @param attempts the newest failed attempts, oldest first
   */
  public record GroupView(
      String group,
      MessageState state,
      int failures,
      int expiries,
      long visibleAtMs,
      @Nullable String leaseId,
      @Nullable String worker,
      long leaseUntilMs,
      List<Attempt> attempts,
      String explain) {}

  public MessageDetail {
    groups = List.copyOf(groups);
  }
}
