package io.holdfast.server;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.api.wire.Verb;
import io.holdfast.server.access.AuditedBroker;
import io.holdfast.server.access.AuditedRoutes;
import io.holdfast.server.access.BadTokens;
import io.holdfast.server.access.Caller;
import io.holdfast.server.access.CommitRoles;
import io.holdfast.server.access.GuardedBroker;
import io.holdfast.server.access.SessionRoutes;
import io.holdfast.server.access.Sessions;
import io.holdfast.server.access.TokenRoutes;
import io.holdfast.server.access.Tokens;
import io.holdfast.server.dashboard.AssetRoutes;
import io.holdfast.server.docs.DocsRoutes;
import io.holdfast.server.flows.FlowActRoutes;
import io.holdfast.server.flows.FlowRoutes;
import io.holdfast.server.frames.FrameHandlers;
import io.holdfast.server.http.Observer;
import io.holdfast.server.http.Room;
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
import io.holdfast.server.queen.Refusals;
import io.holdfast.server.queen.ResourceRoutes;
import io.holdfast.server.queen.SeekRoutes;
import io.holdfast.server.queen.TransactionRoute;
import io.holdfast.server.status.About;
import io.holdfast.server.status.AnalyticsRoutes;
import io.holdfast.server.status.LeaseListRoute;
import io.holdfast.server.status.LiveRoute;
import io.holdfast.server.status.Maintenance;
import io.holdfast.server.status.MaintenanceRoutes;
import io.holdfast.server.status.QueenStatusRoutes;
import io.holdfast.server.status.QueueStatusRoute;
import io.holdfast.server.status.Sampler;
import io.holdfast.server.status.SeriesRoute;
import io.holdfast.server.status.Sight;
import io.holdfast.server.status.SystemRoute;
import io.holdfast.server.traces.TraceRoutes;
import io.holdfast.server.verbs.VerbRoutes;
import io.holdfast.server.work.CommitRoute;
import io.holdfast.server.work.KeptRoutes;
import io.holdfast.server.work.SingleMessageRoutes;
import io.holdfast.server.work.TaskCountRoutes;
import io.holdfast.server.work.TaskRoutes;
import io.holdfast.workflow.FlowStatus;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.admin.FlowAdmin;
import io.holdfast.workflow.admin.FlowQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** All routes of the server. */
public final class Routes implements AutoCloseable {
  /** Blocked flows that are counted; more are told as so many. */
  private static final int BLOCKED_MAX = 100;

  private final List<Route> all = new ArrayList<>();
  private final Metrics metrics;
  private final Sampler sampler;
  private final Jobs jobs;
  private final Maintenance maintenance;
  private final Broker broker;
  private final Map<Verb<?, ?>, Route> verbs;

  /** The routes of a server without tokens. */
  public Routes(Broker served, TimeSource time, Traffic traffic) {
    this(served, time, traffic, About.NOTHING, null, null, new BadTokens(time));
  }

  Routes(Broker served, TimeSource time, Traffic traffic, About about, Entrance entrance) {
    this(
        served, time, traffic, about, entrance.tokens(), entrance.sessions(), entrance.badTokens());
  }

  /**
   * @param about what whoever starts the server tells about it
   * @param tokens null if it has none
   */
  private Routes(
      Broker served,
      TimeSource time,
      Traffic traffic,
      About about,
      @Nullable Tokens tokens,
      @Nullable Sessions sessions,
      BadTokens badTokens) {
    metrics = new Metrics(served, time);
    metrics.tellOf(badTokens);
    metrics.tellOf(traffic);
    jobs = new Jobs(time);
    if (tokens != null) {
      tokens.onChange(jobs::look);
    }
    maintenance = new Maintenance(metrics.metered());
    Broker open = maintenance;
    Broker guarded = new GuardedBroker(open);
    Broker audited = new AuditedBroker(guarded, Routes::isOfFlows);
    broker = new CommitRoles(audited);
    // What time it is may be told to whoever may ask anything.
    LongSupplier nowMs = () -> Refusals.orThrow(open.stats()).nowMs();
    // Nothing of queues is told there, and strangers may ask.
    all.addAll(new HealthRoutes(open, traffic).routes());
    all.addAll(new TokenRoutes(tokens, time).routes());
    all.addAll(new SessionRoutes(tokens, sessions, badTokens).routes());
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
    all.addAll(new MessageRoutes(broker, nowMs).routes());
    all.addAll(new CommitRoute(broker).routes());
    all.addAll(new KeptRoutes(broker).routes());
    all.addAll(new SingleMessageRoutes(broker, nowMs).routes());
    all.addAll(new TaskRoutes(broker).routes());
    all.addAll(new TaskCountRoutes(broker, time).routes());
    all.addAll(new DeadLetterListRoute(broker).routes());
    all.addAll(new DeadLetterRoutes(broker, audited, open, jobs).routes());
    all.addAll(new DeadErrorsRoute(broker, open, time).routes());
    all.addAll(new DeadLetterExportRoute(broker).routes());
    all.addAll(new JobRoutes(jobs, () -> sight()::covers).routes());
    all.addAll(new GroupRoutes(broker, nowMs).routes());
    all.addAll(new SeekRoutes(broker).routes());
    verbs = new VerbRoutes(broker).byVerb();
    all.addAll(verbs.values());
    all.addAll(FrameHandlers.routes());
    // What an act on a flow commits is not the client's: its route says who may, and tells of it.
    FlowAdmin flows = new FlowAdmin(guarded, FlowsConfig.PREFIX, time);
    all.addAll(new FlowRoutes(flows).routes());
    all.addAll(new FlowActRoutes(flows).routes());
    all.addAll(new CheckpointRoutes(Upkeep.of(served)).routes());
    // Nobody asks when it samples, so it asks for everybody.
    FlowAdmin allFlows = new FlowAdmin(open, FlowsConfig.PREFIX, time);
    sampler = new Sampler(open, time, about.disk(), () -> blocked(allFlows));
    all.addAll(new LiveRoute(sampler, Routes::sight).routes());
    all.addAll(new QueueStatusRoute(sampler, Routes::sight).routes());
    all.addAll(new SeriesRoute(sampler, Routes::sight).routes());
    all.addAll(new QueenStatusRoutes(broker, sampler, Routes::sight).routes());
    all.addAll(new AnalyticsRoutes(sampler, Routes::sight).routes());
    all.addAll(new LeaseListRoute(broker).routes());
    all.addAll(new SystemRoute(broker, about).routes());
    all.addAll(new MaintenanceRoutes(maintenance, sampler).routes());
    all.addAll(new TraceRoutes(broker, open, time, () -> sight()::covers).routes());
    all.addAll(metrics.routes());
    all.addAll(new AssetRoutes().routes());
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
    maintenance.read();
    sampler.start();
  }

  /** Ends what goes on by itself, and the calls that listen to it. */
  @Override
  public void close() {
    sampler.close();
    jobs.close();
    maintenance.shut();
  }

  /** What whoever asks may see. */
  private static Sight sight() {
    return Sight.of(Caller.currentGrant().names());
  }

  public List<Route> all() {
    return List.copyOf(all);
  }

  /** The verbs in frames, with the same access as over HTTP. */
  FrameHandlers frames(Observer observer, Room room, int bodyBytesMax) {
    return new FrameHandlers(broker, verbs, observer, room, bodyBytesMax);
  }

  Observer observer() {
    return metrics.observer(all);
  }
}
