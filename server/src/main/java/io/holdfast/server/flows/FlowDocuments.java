package io.holdfast.server.flows;

import io.holdfast.api.Page;
import io.holdfast.server.http.JsonOut;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.admin.ExecutionInfo;
import io.holdfast.workflow.admin.FlowDetail;
import io.holdfast.workflow.admin.FlowLine;
import io.holdfast.workflow.admin.FlowTree;
import io.holdfast.workflow.admin.HistoryPage;
import io.holdfast.workflow.admin.Overview;
import io.holdfast.workflow.admin.Purged;
import java.util.List;

/** What is told of flows as JSON, over HTTP and by the command line. */
public final class FlowDocuments {
  private FlowDocuments() {}

  public static JsonOut list(Page<FlowLine> page) {
    JsonOut out = new JsonOut().beginObject().beginArray("flows");
    page.items().forEach(flow -> FlowJson.line(out, flow));
    return out.endArray().put("next", page.next()).endObject();
  }

  public static JsonOut overview(Overview all) {
    JsonOut out = new JsonOut().beginObject().beginObject("flows");
    for (FlowStatus status : FlowStatus.values()) {
      out.put(FlowJson.word(status), all.flows().of(status));
    }
    out.endObject().put("exact", all.flows().exact()).beginArray("queues");
    for (Overview.Depth queue : all.queues()) {
      out.beginObject()
          .put("queue", queue.queue())
          .put("tag", queue.tag())
          .put("waiting", queue.counts().waiting())
          .put("returned", queue.counts().returned())
          .put("inFlight", queue.counts().inFlight())
          .put("delayed", queue.counts().delayed())
          .put("dead", queue.counts().dead())
          .endObject();
    }
    return out.endArray().endObject();
  }

  public static JsonOut show(FlowDetail flow, List<ExecutionInfo> executions) {
    JsonOut out = FlowJson.flow(new JsonOut().beginObject(), flow.info());
    out.put("events", flow.events()).put("unreadable", flow.unreadable());
    FlowJson.arriving(out, flow.arriving());
    out.beginArray("waitsFor");
    flow.waits().forEach(waiting -> FlowJson.waiting(out, waiting));
    out.endArray().put("waitsForInAll", flow.waitsInAll()).beginArray("executions");
    for (ExecutionInfo execution : executions) {
      out.beginObject()
          .put("number", execution.number())
          .put("version", execution.version())
          .putTime("startedAt", execution.startedMs())
          .putTime("endedAt", execution.endedMs())
          .put("end", execution.end())
          .put("events", execution.events())
          .endObject();
    }
    return out.endArray().endObject();
  }

  public static JsonOut tree(FlowTree tree) {
    JsonOut out = new JsonOut();
    FlowJson.tree(out, tree);
    return out;
  }

  public static JsonOut history(HistoryPage page) {
    JsonOut out =
        new JsonOut()
            .beginObject()
            .put("id", page.id())
            .put("execution", page.execution())
            .put("length", page.length())
            .beginArray("events");
    page.events().forEach(event -> FlowJson.event(out, event));
    out.endArray();
    return (page.next() < 0 ? out.putNull("next") : out.put("next", page.next())).endObject();
  }

  public static JsonOut purged(Purged purged) {
    return new JsonOut()
        .beginObject()
        .put("matched", purged.matched())
        .put("deleted", purged.deleted())
        .put("kept", purged.kept())
        .put("more", purged.more())
        .endObject();
  }
}
