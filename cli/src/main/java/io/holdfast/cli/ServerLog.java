package io.holdfast.cli;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Passes on what the web server logs by the JDK's own means, from warnings on. */
final class ServerLog extends Handler {
  private static final Logger ROOT = Logger.getLogger("");

  /** The property that says where the events of tasks go; see logback.xml. */
  private static final String TASK_EVENTS = "holdfast.log.tasks";

  /** Says, before anything is logged, that the events of tasks would hide what is told. */
  static void leaveOutTaskEvents() {
    System.setProperty(TASK_EVENTS, "nowhere");
  }

  static void install() {
    LogManager.getLogManager().reset();
    ROOT.setLevel(Level.WARNING);
    ROOT.addHandler(new ServerLog());
  }

  @Override
  public void publish(LogRecord event) {
    org.slf4j.Logger logger = LoggerFactory.getLogger(String.valueOf(event.getLoggerName()));
    LoggingEventBuilder line =
        event.getLevel().intValue() >= Level.SEVERE.intValue() ? logger.atError() : logger.atWarn();
    line.setCause(event.getThrown()).log(String.valueOf(event.getMessage()));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
