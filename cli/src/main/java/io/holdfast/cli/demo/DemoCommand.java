package io.holdfast.cli.demo;

import io.holdfast.bench.BenchDirectory;
import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.output.TaskEventLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code demo} command. */
@Command(
    name = "demo",
    description = {
      "Start a temporary broker with producers, consumers, tasks and a flow.",
      "Prints commands to try. Stop it with Ctrl-C; all data is deleted."
    },
    footer = {"  holdfast demo", "  holdfast demo --for 30s"})
public final class DemoCommand implements Callable<Integer> {
  /** The environment variable with the command that started the launcher. */
  private static final String LAUNCHER = "HOLDFAST_LAUNCHER";

  @Spec private CommandSpec spec;

  @Option(
      names = "--port",
      paramLabel = "<port>",
      defaultValue = "0",
      description = "Port to listen on, 0 for any free port (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--for",
      paramLabel = "<duration>",
      converter = DurationConverter.class,
      description = "Stop after a duration such as 30s or 5m (default: never).")
  private @Nullable Long timeMs;

  private final CountDownLatch ended = new CountDownLatch(1);

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (port < 0 || port > 65_535) {
      throw new ParameterException(
          spec.commandLine(), "--port: expected 0 to 65535, but got " + port);
    }
    TaskEventLog.disable();
    Path directory = Files.createTempDirectory("holdfast-demo-");
    try (Demo demo = new Demo(directory.resolve("data"), port)) {
      Thread hook = Thread.ofPlatform().unstarted(() -> stop(demo, directory));
      Runtime.getRuntime().addShutdownHook(hook);
      say("A broker for a first look listens on " + demo.url() + ", its data in " + directory);
      say("Open " + demo.url() + "/ in a browser, and paste these into another terminal:");
      Thread guide = Thread.ofVirtual().start(() -> guide(demo));
      await();
      guide.interrupt();
      guide.join();
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException unheard) {
      spec.commandLine().getErr().println(unheard.getMessage());
      return ExitCodes.REFUSED;
    } finally {
      BenchDirectory.delete(directory);
    }
    say("The demo is over; nothing of it is left.");
    return ExitCodes.DONE;
  }

  private void await() throws InterruptedException {
    if (timeMs == null) {
      ended.await();
    } else {
      ended.await(timeMs, TimeUnit.MILLISECONDS);
    }
  }

  private void guide(Demo demo) {
    String launcher = System.getenv().getOrDefault(LAUNCHER, "./holdfast");
    try {
      demo.guide(launcher, this::say);
      say("It runs until " + (timeMs == null ? "Ctrl-C." : "its time is over."));
    } catch (InterruptedException over) {
      // The demo ends before there was everything to see.
    }
  }

  /** Runs as a shutdown hook; without halt() the exit code would be that of the signal. */
  private void stop(Demo demo, Path directory) {
    demo.close();
    BenchDirectory.delete(directory);
    say("The demo is over; nothing of it is left.");
    Runtime.getRuntime().halt(ExitCodes.DONE);
  }

  private void say(String line) {
    CommandLine commandLine = spec.commandLine();
    PrintWriter out = commandLine.getOut();
    synchronized (out) {
      out.println(line);
      out.flush();
    }
  }
}
