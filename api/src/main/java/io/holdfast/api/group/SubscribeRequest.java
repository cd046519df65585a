package io.holdfast.api.group;

import io.holdfast.api.Check;

/** Changes where a group of a queue begins on partitions that come later. */
public record SubscribeRequest(String queue, String group, StartFrom start) {
  public SubscribeRequest {
    Check.name("queue", queue);
    Check.name("group", group);
    Check.present("start", start);
  }
}
