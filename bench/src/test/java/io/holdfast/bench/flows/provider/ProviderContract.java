package io.holdfast.bench.flows.provider;

import io.holdfast.api.Broker;
import io.holdfast.testkit.ManualClock;
import org.junit.jupiter.api.Nested;

/** All rules that a broker must keep for flows to be safe in it, group by group. */
abstract class ProviderContract {
  /** A new broker, whose time is that of a clock. */
  abstract Broker start(ManualClock clock);

  /** Whether two workers take the turns of each flow alternately, instead of one that takes all. */
  boolean isAlternating() {
    return false;
  }

  @Nested
  class Atomicity extends AtomicityRules {
    Atomicity() {
      super(ProviderContract.this);
    }
  }

  @Nested
  class Errors extends ErrorRules {
    Errors() {
      super(ProviderContract.this);
    }
  }

  @Nested
  class Locks extends LockRules {
    Locks() {
      super(ProviderContract.this);
    }
  }

  @Nested
  class Leases extends LeaseRules {
    Leases() {
      super(ProviderContract.this);
    }
  }

  @Nested
  class Executions extends ExecutionRules {
    Executions() {
      super(ProviderContract.this);
    }
  }

  @Nested
  class Queues extends QueueRules {
    Queues() {
      super(ProviderContract.this);
    }
  }

  @Nested
  class Creation extends CreationRules {
    Creation() {
      super(ProviderContract.this);
    }
  }

  @Nested
  class Polls extends PollRules {
    Polls() {
      super(ProviderContract.this);
    }
  }

  @Nested
  class Poison extends PoisonRules {
    Poison() {
      super(ProviderContract.this);
    }
  }

  @Nested
  class Cancellation extends CancelRules {
    Cancellation() {
      super(ProviderContract.this);
    }
  }

  @Nested
  class Status extends StatusRules {
    Status() {
      super(ProviderContract.this);
    }
  }

  @Nested
  class Management extends ManagementRules {
    Management() {
      super(ProviderContract.this);
    }
  }

  @Nested
  class Deletion extends DeletionRules {
    Deletion() {
      super(ProviderContract.this);
    }
  }

  @Nested
  class Bulk extends BulkRules {
    Bulk() {
      super(ProviderContract.this);
    }
  }

  @Nested
  class Prune extends PruneRules {
    Prune() {
      super(ProviderContract.this);
    }
  }

  @Nested
  class Disturbed extends DisturbedRules {
    Disturbed() {
      super(ProviderContract.this);
    }
  }
}
