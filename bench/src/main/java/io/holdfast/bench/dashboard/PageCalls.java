package io.holdfast.bench.dashboard;

import java.util.List;

/**
 * What a page asks for before it is of use, and again every few seconds.
 *
 * @param paths below {@code /api/v1}
 */
record PageCalls(String page, List<String> paths) {
  PageCalls(String page, String... paths) {
    this(page, List.of(paths));
  }

  /**
   * All pages, as the scripts ask.
   *
   * @param dead the id of a dead letter
   */
  static List<PageCalls> all(String dead) {
    String queue = Filling.DEAD;
    return List.of(
        new PageCalls(
            "overview",
            "status/now",
            "status/series?points=240",
            "status/queues?sort=push&order=desc&limit=8"),
        new PageCalls(
            "queues",
            "status/queues?sort=name&order=asc&offset=0&limit=50",
            "status/queues?sort=waiting&order=desc&offset=9950&limit=50",
            "status/queues?search=99&limit=50"),
        new PageCalls(
            "queue",
            "resources/queues/" + queue + "?limit=1",
            "status/series?points=240&queue=" + queue,
            "consumer-groups?limit=50&queue=" + queue,
            "resources/queues/" + queue + "/leases?limit=50"),
        new PageCalls(
            "messages",
            "consumer-groups?limit=200&queue=" + queue,
            "messages?limit=50&queue=" + queue + "&consumerGroup=" + Filling.GROUP),
        new PageCalls("message", "messages/" + dead + "/explain"),
        new PageCalls("dead", "dlq?limit=50", "dlq/errors", "jobs"),
        new PageCalls(
            "dead-filtered",
            "dlq?limit=50&queue=" + queue + "&error=account",
            "dlq/errors?queue=" + queue),
        new PageCalls(
            "tasks",
            "task-queues",
            "task-counts?queue=" + Filling.TASKS,
            "tasks?limit=50&queue=" + Filling.TASKS),
        new PageCalls("flows", "flow-counts", "flows?limit=50"),
        new PageCalls(
            "groups", "consumer-groups?limit=50", "consumer-groups/lagging?minLagSeconds=60"),
        new PageCalls("system", "system", "system/maintenance"));
  }
}
