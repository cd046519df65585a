package io.holdfast.server;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.server.dashboard.AssetRoutes;
import io.holdfast.server.docs.DocsRoutes;
import io.holdfast.server.flows.FlowActRoutes;
import io.holdfast.server.flows.FlowRoutes;
import io.holdfast.server.http.Observer;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Traffic;
import io.holdfast.server.jobs.JobRoutes;
import io.holdfast.server.jobs.Jobs;
import io.holdfast.server.metrics.Metrics;
import io.holdfast.server.priority.PriorityRoutes;
import io.holdfast.server.queen.AckRoutes;
import io.holdfast.server.queen.ConfigureRoute;
import io.holdfast.server.queen.DeadErrorsRoute;
import io.holdfast.server.queen.DeadLetterExportRoute;
import io.holdfast.server.queen.DeadLetterListRoute;
import io.holdfast.server.queen.DeadLetterRoutes;
import io.holdfast.server.queen.GroupRoutes;
import io.holdfast.server.queen.LeaseRoutes;
import io.holdfast.server.queen.MessageListRoute;
import io.holdfast.server.queen.MessageRoutes;
import io.holdfast.server.queen.OverviewRoutes;
import io.holdfast.server.queen.PopRoutes;
import io.holdfast.server.queen.PushRoute;
import io.holdfast.server.queen.QueueChangeRoutes;
import io.holdfast.server.queen.ResourceRoutes;
import io.holdfast.server.queen.SeekRoutes;
import io.holdfast.server.queen.TransactionRoute;
import io.holdfast.server.status.About;
import io.holdfast.server.status.LeaseListRoute;
import io.holdfast.server.status.LiveRoute;
import io.holdfast.server.status.QueueStatusRoute;
import io.holdfast.server.status.Sampler;
import io.holdfast.server.status.SeriesRoute;
import io.holdfast.server.status.Sight;
import io.holdfast.server.status.SystemRoute;
import io.holdfast.server.verbs.VerbRoutes;
import io.holdfast.server.work.CommitRoute;
import io.holdfast.server.work.KeptRoutes;
import io.holdfast.server.work.SingleMessageRoutes;
import io.holdfast.server.work.TaskRoutes;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.admin.FlowAdmin;
import io.holdfast.workflow.admin.FlowQuery;
import java.util.ArrayList;
import java.util.List;

/** All routes of the server. */
public final class Routes implements AutoCloseable {
  /** Blocked flows that are counted; more are told as so many. */
  private static final int BLOCKED_MAX = 100;

  private final List<Route> all = new ArrayList<>();
  private final Metrics metrics;
  private final Sampler sampler;
  private final Jobs jobs;

  public Routes(Broker served, TimeSource time, Traffic traffic) {
    this(served, time, traffic, About.NOTHING);
  }

  /**
   * @param about what whoever starts the server tells about it
   */
  public Routes(Broker served, TimeSource time, Traffic traffic, About about) {
    metrics = new Metrics(served, time);
    jobs = new Jobs(time);
    Broker broker = metrics.metered();
    all.addAll(new HealthRoutes(broker, traffic).routes());
    all.addAll(new PriorityRoutes(broker).routes());
    all.addAll(new PushRoute(broker).routes());
    all.addAll(new PopRoutes(broker).routes());
    all.addAll(new AckRoutes(broker).routes());
    all.addAll(new LeaseRoutes(broker).routes());
    all.addAll(new TransactionRoute(broker).routes());
    all.addAll(new ConfigureRoute(broker).routes());
    all.addAll(new ResourceRoutes(broker).routes());
    all.addAll(new QueueChangeRoutes(broker).routes());
    all.addAll(new OverviewRoutes(broker).routes());
    all.addAll(new MessageListRoute(broker).routes());
    all.addAll(new MessageRoutes(broker).routes());
    all.addAll(new CommitRoute(broker).routes());
    all.addAll(new KeptRoutes(broker).routes());
    all.addAll(new SingleMessageRoutes(broker).routes());
    all.addAll(new TaskRoutes(broker).routes());
    all.addAll(new DeadLetterListRoute(broker).routes());
    all.addAll(new DeadLetterRoutes(broker, broker, jobs).routes());
    all.addAll(new DeadErrorsRoute(broker, broker, time).routes());
    all.addAll(new DeadLetterExportRoute(broker).routes());
    all.addAll(new JobRoutes(jobs, () -> queue -> true).routes());
    all.addAll(new GroupRoutes(broker).routes());
    all.addAll(new SeekRoutes(broker).routes());
    all.addAll(new VerbRoutes(broker).routes());
    FlowAdmin flows = new FlowAdmin(broker, FlowsConfig.PREFIX, time);
    all.addAll(new FlowRoutes(flows).routes());
    all.addAll(new FlowActRoutes(flows).routes());
    sampler = new Sampler(broker, time, about.disk(), () -> blocked(flows));
    all.addAll(new LiveRoute(sampler, () -> Sight.ALL).routes());
    all.addAll(new QueueStatusRoute(sampler, () -> Sight.ALL).routes());
    all.addAll(new SeriesRoute(sampler, () -> Sight.ALL).routes());
    all.addAll(new LeaseListRoute(broker).routes());
    all.addAll(new SystemRoute(broker, about).routes());
    all.addAll(metrics.routes());
    all.addAll(new AssetRoutes().routes());
    // It describes all routes, so it comes last.
    all.addAll(new DocsRoutes(all).routes());
  }

  private static long blocked(FlowAdmin flows) {
    return flows
        .list(FlowQuery.all().status(FlowStatus.BLOCKED).limit(BLOCKED_MAX))
        .items()
        .size();
  }

  /** Begins what goes on by itself. */
  void start() {
    sampler.start();
  }

  /** Ends what goes on by itself, and the calls that listen to it. */
  @Override
  public void close() {
    sampler.close();
    jobs.close();
  }

  public List<Route> all() {
    return List.copyOf(all);
  }

  Observer observer() {
    return metrics.observer(all);
  }
}
