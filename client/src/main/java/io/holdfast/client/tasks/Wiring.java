package io.holdfast.client.tasks;

import io.holdfast.api.Broker;
import io.holdfast.api.TimeSource;
import io.holdfast.client.LeaseRenewals;

/** What the parts of one {@link TaskBroker} share. */
record Wiring(
    Broker broker,
    TaskBrokerConfig config,
    TimeSource time,
    Topics topics,
    Places places,
    Holds holds,
    AckIntake acks,
    TaskCounters counters,
    LeaseRenewals renewals,
    TaskLog log) {
  static Wiring of(Broker broker, TaskBrokerConfig config, TimeSource time, TaskLog log) {
    Topics topics = new Topics(broker, config);
    Places places = new Places(broker, topics);
    Holds holds = new Holds();
    TaskCounters counters = new TaskCounters();
    LostHolds lost = new LostHolds(broker, places, time);
    AckIntake acks = new AckIntake(broker, config, time, holds, lost, counters, log);
    LeaseRenewals renewals = new LeaseRenewals(broker, time, config.namespace(), true, null);
    return new Wiring(broker, config, time, topics, places, holds, acks, counters, renewals, log);
  }
}
