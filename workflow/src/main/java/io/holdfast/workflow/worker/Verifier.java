package io.holdfast.workflow.worker;

import io.holdfast.api.Limits;
import io.holdfast.api.Page;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.Orchestration;
import io.holdfast.workflow.Verified;
import io.holdfast.workflow.Verified.Verdict;
import io.holdfast.workflow.VerifyReport;
import io.holdfast.workflow.admin.FlowAdmin;
import io.holdfast.workflow.admin.FlowLine;
import io.holdfast.workflow.admin.FlowQuery;
import io.holdfast.workflow.history.History;
import io.holdfast.workflow.replay.Code;
import io.holdfast.workflow.replay.Execution;
import io.holdfast.workflow.store.FlowRecord;
import io.holdfast.workflow.store.FlowStore;
import io.holdfast.workflow.store.Loaded;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks code against the histories of flows that have not ended, one at a time, and changes
 * nothing.
 *
 * <p>Thread: one.
 */
public final class Verifier {
  private final FlowStore store;
  private final Registry registry;
  private final FlowsConfig config;

  public Verifier(FlowStore store, Registry registry, FlowsConfig config) {
    this.store = store;
    this.registry = registry;
    this.config = config;
  }

  /** Checks all of them, page by page. */
  public VerifyReport run(Consumer<Verified> progress) {
    FlowAdmin admin = new FlowAdmin(store, config.time());
    Map<Verdict, Long> counts = new EnumMap<>(Verdict.class);
    List<Verified> troubles = new ArrayList<>();
    FlowQuery query =
        FlowQuery.all()
            .status(FlowStatus.RUNNING, FlowStatus.SUSPENDED, FlowStatus.BLOCKED)
            .limit(Limits.PAGE_MAX);
    String after = null;
    do {
      Page<FlowLine> page = admin.list(query.after(after));
      for (FlowLine line : page.items()) {
        Verified verified = check(line.id());
        if (verified == null) {
          continue;
        }
        counts.merge(verified.verdict(), 1L, Long::sum);
        if (!verified.isFine() && troubles.size() < VerifyReport.TROUBLES_MAX) {
          troubles.add(verified);
        }
        progress.accept(verified);
      }
      after = page.next();
    } while (after != null);
    return new VerifyReport(counts, troubles);
  }

  /** Checks a flow; null if it is over or gone. */
  @Nullable Verified check(String id) {
    Loaded loaded = store.load(id);
    FlowRecord flow = loaded.flow();
    if (flow == null || flow.isEnded()) {
      return null;
    }
    History history = loaded.history();
    if (history == null || (!flow.isNew() && history.started() == null)) {
      String why = history == null ? loaded.unreadable() : "it does not begin with a start";
      return verdict(id, flow, Verdict.UNREADABLE, "The history cannot be read: " + why);
    }
    Orchestration<?, ?> code = registry.flow(flow.name(), flow.version());
    if (code == null) {
      return verdict(
          id,
          flow,
          Verdict.UNKNOWN_CODE,
          "There is no code for '"
              + flow.name()
              + "'"
              + (flow.version() == null ? "" : " in version " + flow.version())
              + ". What is registered: "
              + registry
              + ".");
    }
    String differs =
        flow.isNew()
            ? null
            : Execution.check(
                flow.executionId(id), history, new Code(code, config.payloads(), config.time()));
    return differs == null
        ? verdict(id, flow, Verdict.FINE, "")
        : verdict(id, flow, Verdict.DIFFERS, differs);
  }

  private static Verified verdict(String id, FlowRecord flow, Verdict verdict, String words) {
    return new Verified(id, flow.name(), flow.version(), flow.status(), verdict, words);
  }
}
