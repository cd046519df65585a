package io.holdfast.testkit.times;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Writes how long each test class took: a line with its name, number of tests, milliseconds, and
 * milliseconds of this JVM's processor time, separated by tabs.
 *
 * <p>Active only if the system property {@value #FOLDER} names a folder. Classes must run one after
 * the other, because processor time is counted for the whole JVM.
 */
public final class TestTimesListener implements TestExecutionListener {
  static final String FOLDER = "holdfast.test.times";

  private final @Nullable String folder = System.getProperty(FOLDER);
  private final com.sun.management.OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
  private long startNanos;
  private long startCpuNanos;
  private long tests;

  private static boolean isTopLevelClass(TestIdentifier identifier) {
    return identifier.getSource().orElse(null) instanceof ClassSource
        && identifier
            .getParentIdObject()
            .map(parent -> parent.getSegments().size() == 1)
            .orElse(false);
  }

  @Override
  public void executionStarted(TestIdentifier identifier) {
    if (isTopLevelClass(identifier)) {
      tests = 0;
      startNanos = System.nanoTime();
      startCpuNanos = system.getProcessCpuTime();
    }
  }

  @Override
  public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
    if (identifier.isTest()) {
      tests++;
    } else if (folder != null && isTopLevelClass(identifier)) {
      write(Path.of(folder), line(identifier));
    }
  }

  private String line(TestIdentifier identifier) {
    return "%s\t%d\t%d\t%d%n"
        .formatted(
            identifier.getLegacyReportingName(),
            tests,
            (System.nanoTime() - startNanos) / 1_000_000,
            (system.getProcessCpuTime() - startCpuNanos) / 1_000_000);
  }

  private static void write(Path folder, String line) {
    try {
      Files.createDirectories(folder);
      Files.writeString(
          folder.resolve(ProcessHandle.current().pid() + ".tsv"),
          line,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot write test times to " + folder, failed);
    }
  }
}
