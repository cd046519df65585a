package io.holdfast.server;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.wire.Verb;
import io.holdfast.server.access.AuditedRoutes;
import io.holdfast.server.access.BadTokens;
import io.holdfast.server.access.SessionRoutes;
import io.holdfast.server.access.TokenRoutes;
import io.holdfast.server.access.Tokens;
import io.holdfast.server.commits.CommitRoutes;
import io.holdfast.server.commits.TransactionRoute;
import io.holdfast.server.compat.priority.PriorityRoutes;
import io.holdfast.server.compat.queen.AnalyticsRoutes;
import io.holdfast.server.compat.queen.QueenStatusRoutes;
import io.holdfast.server.dashboard.AssetRoutes;
import io.holdfast.server.deadletters.DeadErrorsRoute;
import io.holdfast.server.deadletters.DeadLetterListRoute;
import io.holdfast.server.deadletters.DeadLetterRoutes;
import io.holdfast.server.docs.DocsRoutes;
import io.holdfast.server.flows.FlowRoutes;
import io.holdfast.server.frames.FrameHandlers;
import io.holdfast.server.groups.GroupRoutes;
import io.holdfast.server.groups.SeekRoutes;
import io.holdfast.server.http.Authority;
import io.holdfast.server.http.Brokers;
import io.holdfast.server.http.Observer;
import io.holdfast.server.http.Route;
import io.holdfast.server.http.Traffic;
import io.holdfast.server.jobs.JobRoutes;
import io.holdfast.server.jobs.Jobs;
import io.holdfast.server.leases.AckRoutes;
import io.holdfast.server.leases.LeaseRoutes;
import io.holdfast.server.messages.MessageListRoute;
import io.holdfast.server.messages.MessageRoutes;
import io.holdfast.server.messages.PopRoutes;
import io.holdfast.server.messages.PushRoute;
import io.holdfast.server.metrics.Metrics;
import io.holdfast.server.queues.OldestRoute;
import io.holdfast.server.queues.OverviewRoutes;
import io.holdfast.server.queues.QueueChangeRoutes;
import io.holdfast.server.queues.ResourceRoutes;
import io.holdfast.server.status.About;
import io.holdfast.server.status.LiveRoute;
import io.holdfast.server.status.Maintenance;
import io.holdfast.server.status.MaintenanceRoutes;
import io.holdfast.server.status.Sampler;
import io.holdfast.server.status.StatusRoutes;
import io.holdfast.server.status.SystemRoute;
import io.holdfast.server.tasks.TaskRoutes;
import io.holdfast.server.traces.TraceRoutes;
import io.holdfast.server.verbs.VerbRoutes;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.admin.FlowAdmin;
import io.holdfast.workflow.admin.FlowQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All routes of the server. */
public final class Routes implements AutoCloseable {
  /** Blocked flows that are counted; more are told as so many. */
  private static final int BLOCKED_MAX = 100;

  private final List<Route> all = new ArrayList<>();
  private final Metrics metrics;
  private final Sampler sampler;
  private final Jobs jobs;
  private final Maintenance maintenance;
  private final boolean inCluster;
  private final BrokerChain brokers;
  private final Map<Verb<?, ?>, Route> verbs;

  /** The routes of a server without tokens. */
  public Routes(Broker served, TimeSource time, Traffic traffic) {
    this(served, time, traffic, About.NOTHING, new Entrance(ServerConfig.defaults(), time));
  }

  /**
   * @param about what whoever starts the server tells about it
   */
  Routes(Broker served, TimeSource time, Traffic traffic, About about, Entrance entrance) {
    Tokens tokens = entrance.tokens;
    BadTokens badTokens = entrance.badTokens;
    metrics = new Metrics(served, time);
    metrics.add(badTokens);
    metrics.add(traffic);
    Cluster cluster = Cluster.of(served);
    inCluster = !cluster.equals(Cluster.NONE);
    if (inCluster) {
      metrics.add(families -> ClusterMetrics.add(cluster, families));
    }
    jobs = new Jobs(time);
    if (tokens != null) {
      tokens.onChange(jobs::look);
    }
    brokers = new BrokerChain(metrics.metered(), Routes::isOfFlows);
    maintenance = brokers.maintenance();
    Broker open = brokers.with(Authority.SERVER);
    Broker guarded = brokers.with(Authority.ROUTE);
    all.addAll(new HealthRoutes(traffic, cluster).routes());
    all.addAll(new TokenRoutes(tokens, time).routes());
    all.addAll(new SessionRoutes(tokens, badTokens).routes());
    all.addAll(PriorityRoutes.routes());
    all.addAll(PushRoute.routes());
    all.addAll(PopRoutes.routes());
    all.addAll(AckRoutes.routes());
    all.addAll(LeaseRoutes.routes());
    all.addAll(TransactionRoute.routes());
    all.addAll(QueueChangeRoutes.configuring());
    all.addAll(ResourceRoutes.routes());
    all.addAll(QueueChangeRoutes.routes());
    all.addAll(OldestRoute.routes());
    all.addAll(OverviewRoutes.routes());
    all.addAll(MessageListRoute.routes());
    all.addAll(MessageRoutes.routes());
    all.addAll(CommitRoutes.routes());
    all.addAll(new TaskRoutes(time).routes());
    all.addAll(DeadLetterListRoute.routes());
    all.addAll(new DeadLetterRoutes(jobs).routes());
    all.addAll(new DeadErrorsRoute(time).routes());
    all.addAll(DeadLetterListRoute.export());
    all.addAll(new JobRoutes(jobs).routes());
    all.addAll(GroupRoutes.routes());
    all.addAll(SeekRoutes.routes());
    verbs = new VerbRoutes(brokers.with(Authority.CALLER)).byVerb();
    all.addAll(verbs.values());
    all.addAll(FrameHandlers.routes());
    // What an act on a flow commits is not the client's: its route says who may, and tells of it.
    FlowAdmin flows = new FlowAdmin(guarded, FlowsConfig.PREFIX, time);
    all.addAll(new FlowRoutes(flows).routes());
    all.addAll(new CheckpointRoutes(Upkeep.of(served)).routes());
    all.addAll(new ClusterRoutes(cluster).routes());
    // Nobody asks when it samples, so it asks for everybody.
    FlowAdmin allFlows = new FlowAdmin(open, FlowsConfig.PREFIX, time);
    sampler = new Sampler(open, time, about.disk(), () -> blocked(allFlows));
    all.addAll(new LiveRoute(sampler).routes());
    all.addAll(new StatusRoutes(sampler).routes());
    all.addAll(new QueenStatusRoutes(sampler).routes());
    all.addAll(new AnalyticsRoutes(sampler).routes());
    all.addAll(LeaseRoutes.ofQueue());
    all.addAll(new SystemRoute(about).routes());
    all.addAll(new MaintenanceRoutes(maintenance, sampler).routes());
    all.addAll(new TraceRoutes(open, time).routes());
    all.addAll(metrics.routes());
    all.addAll(new AssetRoutes().routes());
    all.replaceAll(QueenRoutes::of);
    // It describes all routes, so it comes last.
    all.addAll(new DocsRoutes(all).routes());
    all.replaceAll(AuditedRoutes::of);
  }

  /** Whether a queue is one that flows keep their own work in. */
  private static boolean isOfFlows(String queue) {
    return queue.startsWith(FlowsConfig.PREFIX + ".");
  }

  private static long blocked(FlowAdmin flows) {
    return flows.list(FlowQuery.all().status(FlowStatus.BLOCKED).limit(BLOCKED_MAX)).items().size();
  }

  /** Begins what goes on by itself, and learns what was said before a restart. */
  void start() {
    if (inCluster) {
      // It starts without a leader, too, and other nodes may change it.
      maintenance.follow();
    } else {
      maintenance.read();
    }
    sampler.start();
  }

  /** Ends what goes on by itself, and the calls that listen to it. */
  @Override
  public void close() {
    sampler.close();
    jobs.close();
    maintenance.shut();
  }

  public List<Route> all() {
    return List.copyOf(all);
  }

  /** The routes of the verbs, whose access requests in frames need too. */
  Map<Verb<?, ?>, Route> verbs() {
    return verbs;
  }

  /** The broker as routes ask it. */
  Brokers brokers() {
    return brokers;
  }

  Observer observer() {
    return metrics.observer(all);
  }
}
