package io.holdfast.api;

import org.jspecify.annotations.Nullable;

/** Which groups to list: of one queue, of one name, or all. */
public record GroupsRequest(@Nullable String queue, @Nullable String group) {
  public static GroupsRequest ofQueue(String queue) {
    return new GroupsRequest(queue, null);
  }
}
