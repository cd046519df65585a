package io.holdfast.server.queen;

import io.holdfast.api.Limits;
import io.holdfast.api.lease.PopRequest;
import io.holdfast.api.lease.PopSource;
import io.holdfast.api.lease.Settle;
import io.holdfast.server.http.JsonIn;
import io.holdfast.server.http.Param;
import io.holdfast.server.http.Problem;
import io.holdfast.server.http.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pop as JSON has it, with what is to be settled in the same step. */
final class PopItem {
  private static final List<Param> PARAMS =
      List.of(
          PopRoutes.NAMESPACE,
          PopRoutes.TASK,
          PopRoutes.GROUP,
          PopRoutes.BATCH,
          PopRoutes.PARTITIONS,
          PopRoutes.WAIT,
          PopRoutes.TIMEOUT,
          PopRoutes.AUTO_ACK,
          PopRoutes.COMMIT_ON_DELIVERY,
          PopRoutes.MODE,
          PopRoutes.FROM,
          PopRoutes.LEASE_SECONDS,
          PopRoutes.WORKER,
          PopRoutes.ATTEMPT_ID);

  static final Shape SHAPE = shape();

  private @Nullable String queue;
  private @Nullable String partition;
  private @Nullable String namespace;
  private @Nullable String task;
  private String group = PopRequest.QUEUE_MODE;
  private int batch = 1;
  private int partitions = 1;
  private boolean wait;
  private long timeoutMs = (Long) byDefault(PopRoutes.TIMEOUT);
  private boolean autoAck;
  private @Nullable String mode;
  private @Nullable String from;
  private long leaseSeconds;
  private @Nullable String worker;
  private @Nullable String attemptId;
  private @Nullable String joinLease;
  private final List<AckItem> settles = new ArrayList<>();

  private PopItem() {}

  private static Object byDefault(Param param) {
    Object value = param.byDefault();
    if (value == null) {
      throw new IllegalStateException(param.name() + " has no default");
    }
    return value;
  }

  private static Shape shape() {
    List<Shape.Field> fields = new ArrayList<>();
    fields.add(Shape.optional("queue", Shape.QUEUE, "The queue to take from."));
    fields.add(Shape.optional("partition", Shape.TEXT, "With queue: only this partition."));
    for (Param param : PARAMS) {
      Shape shape =
          switch (param.kind()) {
            case NUMBER -> Shape.WHOLE;
            case FLAG -> Shape.FLAG;
            case WORD -> Shape.words(param.words().toArray(String[]::new));
            case TEXT -> Shape.TEXT;
            case TIME -> Shape.TIME;
          };
      fields.add(Shape.optional(param.name(), shape, param.explanation()));
    }
    fields.add(
        Shape.optional(
            "settles",
            Shape.array(AckItem.SHAPE),
            "What to settle first, each by itself; leaseId and status alone settle a whole"
                + " lease."));
    fields.add(
        Shape.optional("joinLease", Shape.TEXT, "A lease that lives, for new messages to join."));
    return Shape.fields(fields.toArray(Shape.Field[]::new));
  }

  static PopItem read(JsonIn in) {
    PopItem item = new PopItem();
    in.beginObject();
    for (String field = in.nextField(); field != null; field = in.nextField()) {
      if (in.isNull()) {
        item.expectKnown(field, in);
      } else if (!item.readWhere(field, in) && !item.readHow(field, in)) {
        throw unknown(in);
      }
    }
    return item;
  }

  /** Nothing is the same as not there, but only of a field there is. */
  private void expectKnown(String field, JsonIn in) {
    if (!known().contains(field)) {
      throw unknown(in);
    }
  }

  private static Problem unknown(JsonIn in) {
    return in.unknown(known());
  }

  private static List<String> known() {
    List<String> names = new ArrayList<>(List.of("queue", "partition", "settles", "joinLease"));
    PARAMS.forEach(param -> names.add(param.name()));
    return names;
  }

  private boolean readWhere(String field, JsonIn in) {
    switch (field) {
      case "queue" -> queue = in.text();
      case "partition" -> partition = in.text();
      case "namespace" -> namespace = in.text();
      case "task" -> task = in.text();
      case "consumerGroup" -> group = in.text();
      case "subscriptionMode" -> mode = word(PopRoutes.MODE, in);
      case "subscriptionFrom" -> from = in.text();
      case "joinLease" -> joinLease = in.text();
      case "settles" -> settles(in);
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean readHow(String field, JsonIn in) {
    switch (field) {
      case "batch" -> batch = (int) number(PopRoutes.BATCH, in);
      case "partitions" -> partitions = (int) number(PopRoutes.PARTITIONS, in);
      case "wait" -> wait = in.flag();
      case "timeout" -> timeoutMs = number(PopRoutes.TIMEOUT, in);
      case "autoAck", "commitOnDelivery" -> autoAck |= in.flag();
      case "leaseSeconds" -> leaseSeconds = number(PopRoutes.LEASE_SECONDS, in);
      case "worker" -> worker = in.text();
      case "attemptId" -> attemptId = in.text();
      default -> {
        return false;
      }
    }
    return true;
  }

  private static long number(Param param, JsonIn in) {
    return in.number(param.min(), param.max());
  }

  private static String word(Param param, JsonIn in) {
    String word = in.text();
    if (!param.words().contains(word)) {
      throw in.wrong("one of " + String.join(", ", param.words()));
    }
    return word;
  }

  private void settles(JsonIn in) {
    settles.addAll(in.list(Limits.OPERATIONS_MAX, AckItem::readOneOrWhole));
  }

  List<AckItem> settles() {
    return settles;
  }

  PopRequest request() {
    List<Settle> asked = new ArrayList<>(settles.size());
    for (int i = 0; i < settles.size(); i++) {
      int index = i;
      asked.add(settles.get(i).settle(() -> "settles[" + index + "]", group, null));
    }
    return new PopRequest(
        source(),
        group,
        batch,
        partitions,
        wait ? timeoutMs : 0,
        leaseSeconds * 1000,
        autoAck,
        PopRoutes.start(from, mode),
        worker,
        asked,
        joinLease,
        attemptId,
        0);
  }

  private PopSource source() {
    if (queue == null) {
      if (partition != null) {
        throw Problem.field("partition", "expected queue with it, but there is none");
      }
      if (namespace == null && task == null) {
        throw Problem.field("queue", "expected it, or namespace or task, but there is none");
      }
      return new PopSource.Tagged(namespace, task);
    }
    if (namespace != null || task != null) {
      throw Problem.field("queue", "expected it, or namespace or task, but got both");
    }
    return partition == null
        ? new PopSource.WholeQueue(queue)
        : new PopSource.OnePartition(queue, partition);
  }
}
