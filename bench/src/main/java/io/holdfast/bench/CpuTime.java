package io.holdfast.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The processor time of some processes together: what a measurement costs, however busy the machine
 * is with other things.
 *
 * <p>Thread: any.
 */
public final class CpuTime {
  private final List<ProcessHandle> processes;

  private CpuTime(List<ProcessHandle> processes) {
    this.processes = processes;
  }

  /** The time of this process and of others. */
  public static CpuTime ofThisAnd(ProcessHandle... others) {
    List<ProcessHandle> all = new ArrayList<>(List.of(others));
    all.add(ProcessHandle.current());
    return new CpuTime(List.copyOf(all));
  }

  /** What they have used so far; the operating system counts in steps of about 10 ms. */
  public long micros() {
    return processes.stream()
        .mapToLong(
            process -> process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / 1_000)
        .sum();
  }
}
