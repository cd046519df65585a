package io.holdfast.api.group;

import io.holdfast.api.Check;
import io.holdfast.api.Limits;
import org.jspecify.annotations.Nullable;

/** Which groups to list: of one queue, of one name, or all; by queue. */
public record GroupsRequest(
    @Nullable String queue, @Nullable String group, @Nullable String after, int limit) {
  public GroupsRequest {
    Check.within("limit", limit, 1, Limits.PAGE_MAX);
  }

  /** The first page. */
  public GroupsRequest(@Nullable String queue, @Nullable String group) {
    this(queue, group, null, Limits.PAGE_MAX);
  }

  public static GroupsRequest ofQueue(String queue) {
    return new GroupsRequest(queue, null);
  }

  /** The page behind another: {@code next} is what that one said. */
  public GroupsRequest after(String next) {
    return new GroupsRequest(queue, group, next, limit);
  }

  /** A page of at most so many. */
  public GroupsRequest limit(int most) {
    return new GroupsRequest(queue, group, after, most);
  }
}
