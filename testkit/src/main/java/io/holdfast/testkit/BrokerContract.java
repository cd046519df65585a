package io.holdfast.testkit;

import io.holdfast.api.Broker;
import org.junit.jupiter.api.Nested;

/**
 * The contract of a {@link Broker}: what every implementation must do, told by theme.
 *
 * <p>An implementation runs all of it by extending this class in a test and saying how it starts.
 */
public abstract class BrokerContract {
  /** A fresh, empty broker that takes its time from a clock, and has a key to encrypt with. */
  protected abstract Broker start(ManualClock clock);

  /** Closes the broker that was started last and opens its data again, with the same clock. */
  protected abstract Broker restart();

  /** Whether {@link #restart} works; if not, contracts go on with the broker they have. */
  protected boolean canRestart() {
    return true;
  }

  @Nested
  class Delivering extends DeliveryContract {
    Delivering() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Popping extends PopContract {
    Popping() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Sticky extends StickyContract {
    Sticky() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Asynchronous extends AsyncContract {
    Asynchronous() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Waiting extends WaitContract {
    Waiting() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Leases extends LeaseContract {
    Leases() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class WideLeases extends WideLeaseContract {
    WideLeases() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Settling extends SettleContract {
    Settling() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Retries extends RetryContract {
    Retries() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class DeadLettering extends DeadLetterContract {
    DeadLettering() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Delays extends DelayContract {
    Delays() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Deduplication extends DedupContract {
    Deduplication() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Repeats extends RepeatContract {
    Repeats() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Bounds extends BoundsContract {
    Bounds() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Retention extends RetentionContract {
    Retention() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Groups extends GroupContract {
    Groups() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Commits extends CommitContract {
    Commits() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class State extends StateContract {
    State() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Cancelling extends CancelContract {
    Cancelling() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Tasks extends TaskContract {
    Tasks() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Inspecting extends InspectContract {
    Inspecting() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Loads extends LoadContract {
    Loads() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Queues extends QueueContract {
    Queues() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Encryption extends EncryptionContract {
    Encryption() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Arguments extends ArgumentContract {
    Arguments() {
      super(BrokerContract.this);
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContract {
    Concurrency() {
      super(BrokerContract.this);
    }
  }
}
