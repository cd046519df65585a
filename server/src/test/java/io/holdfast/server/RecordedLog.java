package io.holdfast.server;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * The lines that a logger writes while a test listens to it.
 *
 * <p>It is found by SLF4J as the backend of these tests; lines that no test listens to are dropped.
 */
public final class RecordedLog implements AutoCloseable {
  private static final Set<RecordedLog> OPEN = ConcurrentHashMap.newKeySet();

  private final String logger;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private RecordedLog(String logger) {
    this.logger = logger;
  }

  /** Begins to record the lines of a logger. */
  public static RecordedLog of(String logger) {
    RecordedLog log = new RecordedLog(logger);
    OPEN.add(log);
    return log;
  }

  /** The lines so far, each after its level. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** The lines since they were last taken. */
  public List<String> take() {
    List<String> taken = lines();
    lines.clear();
    return taken;
  }

  @Override
  public void close() {
    OPEN.remove(this);
  }

  /** The backend. */
  public static final class Provider implements SLF4JServiceProvider {
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();

    @Override
    public ILoggerFactory getLoggerFactory() {
      return Recorder::new;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
      return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
      return context;
    }

    @Override
    public String getRequestedApiVersion() {
      return "2.0.99";
    }

    @Override
    public void initialize() {}
  }

  private static final class Recorder extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    Recorder(String name) {
      this.name = name;
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        String message,
        Object @Nullable [] arguments,
        @Nullable Throwable thrown) {
      String line =
          level
              + " "
              + MessageFormatter.basicArrayFormat(message, arguments)
              + (thrown == null ? "" : " " + thrown);
      if (name.endsWith(".ResourceLeakDetector") && OPEN.isEmpty()) {
        // A test in which a buffer was not released may be over when that is found.
        System.err.println(line);
      }
      OPEN.stream().filter(log -> log.logger.equals(name)).forEach(log -> log.lines.add(line));
    }

    @Override
    public boolean isTraceEnabled() {
      return false;
    }

    @Override
    public boolean isDebugEnabled() {
      return false;
    }

    @Override
    public boolean isInfoEnabled() {
      return true;
    }

    @Override
    public boolean isWarnEnabled() {
      return true;
    }

    @Override
    public boolean isErrorEnabled() {
      return true;
    }
  }
}
