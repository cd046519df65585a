package io.holdfast.server;

import io.holdfast.server.http.Route;
import java.util.Set;

/**
 * The routes that Queen's clients call. They ignore parameters and fields they do not know, because
 * these clients send what their own server ignores, and newer ones send more.
 *
 * <p>Routes that only Holdfast has refuse what they do not know. So do two kinds of Queen's routes,
 * because what they would ignore changes what becomes of messages: those that remove many at once,
 * of which an ignored filter would remove more, and the replay of a dead letter, which Queen can do
 * to another queue.
 */
final class QueenRoutes {
  private static final Set<String> PATHS =
      Set.of(
          "POST /api/v1/push",
          "GET /api/v1/pop",
          "GET /api/v1/pop/queue/{queue}",
          "GET /api/v1/pop/queue/{queue}/partition/{partition}",
          "POST /api/v1/ack",
          "POST /api/v1/ack/batch",
          "POST /api/v1/lease/{leaseId}/extend",
          "POST /api/v1/transaction",
          "POST /api/v1/configure",
          "GET /api/v1/resources/overview",
          "GET /api/v1/resources/namespaces",
          "GET /api/v1/resources/tasks",
          "GET /api/v1/resources/partitions",
          "GET /api/v1/resources/queues",
          "GET /api/v1/resources/queues/{queue}",
          "GET /api/v1/resources/queues/{queue}/depth",
          "DELETE /api/v1/resources/queues/{queue}",
          "POST /api/v1/stats/refresh",
          "GET /api/v1/messages",
          "GET /api/v1/messages/{partitionId}/{transactionId}",
          "DELETE /api/v1/messages/{partitionId}/{transactionId}",
          "POST /api/v1/messages/{partitionId}/{transactionId}/retry",
          "POST /api/v1/messages/{partitionId}/{transactionId}/dlq",
          "GET /api/v1/dlq",
          "GET /api/v1/consumer-groups",
          "GET /api/v1/consumer-groups/lagging",
          "GET /api/v1/consumer-groups/{group}",
          "DELETE /api/v1/consumer-groups/{group}",
          "DELETE /api/v1/consumer-groups/{group}/queues/{queue}",
          "POST /api/v1/consumer-groups/{group}/subscription",
          "POST /api/v1/consumer-groups/{group}/queues/{queue}/seek",
          "POST /api/v1/consumer-groups/{group}/queues/{queue}/partitions/{partition}/seek",
          "POST /api/v1/traces",
          "GET /api/v1/traces/{partitionId}/{transactionId}",
          "GET /api/v1/traces/by-name/{name}",
          "GET /api/v1/traces/names",
          "GET /api/v1/status",
          "GET /api/v1/status/queues",
          "GET /api/v1/status/queues/{queue}",
          "GET /api/v1/status/buffers",
          "GET /api/v1/status/analytics",
          "GET /api/v1/analytics/queue-lag",
          "GET /api/v1/analytics/queue-ops",
          "GET /api/v1/analytics/worker-metrics",
          "GET /api/v1/analytics/system-metrics",
          "GET /api/v1/analytics/postgres-stats",
          "GET /api/v1/system/maintenance",
          "POST /api/v1/system/maintenance",
          "GET /api/v1/system/maintenance/pop",
          "POST /api/v1/system/maintenance/pop");

  private QueenRoutes() {}

  /** The methods and paths of these routes. */
  static Set<String> paths() {
    return PATHS;
  }

  /** The route, ignoring what it does not know if Queen's clients call it. */
  static Route of(Route route) {
    return PATHS.contains(route.method() + " " + route.path()) ? route.ignoringUnknown() : route;
  }
}
