package io.holdfast.cli.queues;

import io.holdfast.api.group.GroupInfo;
import io.holdfast.api.queue.PartitionInfo;
import io.holdfast.api.queue.QueueInfo;
import io.holdfast.api.queue.QueueOption;
import io.holdfast.api.queue.QueueOptions;
import io.holdfast.json.JsonObject;
import io.holdfast.json.JsonOut;
import io.holdfast.json.JsonType;
import io.holdfast.json.Schema;
import io.holdfast.json.objects.GroupJson;
import io.holdfast.json.objects.QueueJson;
import java.util.List;

/** A queue with its options, groups and partitions, as JSON. */
record QueueDetail(QueueInfo queue, List<GroupInfo> groups, List<PartitionInfo> partitions) {
  private static final JsonType<QueueOptions> OPTIONS =
      JsonType.written(Schema.OBJECT, QueueDetail::values);

  static final JsonType<QueueDetail> TYPE =
      JsonObject.of(QueueDetail.class)
          .include(QueueJson.HEAD, QueueDetail::queue)
          .field("options", OPTIONS, detail -> detail.queue().options(), "Its options.")
          .list("consumerGroups", GroupJson.TYPE, QueueDetail::groups, "Its groups.")
          .list("partitions", QueueJson.PARTITION, QueueDetail::partitions, "The first of them.")
          .whole("partitionCount", detail -> detail.queue().partitions(), "How many it has.")
          .field("totals", QueueJson.COUNTS, detail -> detail.queue().counts(), "Its messages.")
          .type();

  static JsonOut options(JsonOut out, QueueOptions options) {
    OPTIONS.write(out.name("options"), options);
    return out;
  }

  private static void values(JsonOut out, QueueOptions options) {
    out.beginObject();
    for (QueueOption option : QueueOption.values()) {
      out.putValue(option.wireName(), options.get(option));
    }
    out.endObject();
  }
}
