package io.holdfast.cli;

import io.holdfast.bench.BenchDirectory;
import io.holdfast.cli.demo.Demo;
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
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code demo} command: a throw-away broker with some life in it, and what to look at. */
@Command(
    name = "demo",
    description = {
      "Starts a throw-away broker with producers, consumers, tasks and a flow at work,",
      "and says what to look at. It leaves nothing behind."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nCtrl-C ends it.%n%nExamples:%n",
    footer = {"  holdfast demo", "  holdfast demo --for 30s"})
final class DemoCommand implements Callable<Integer> {
  /** How the launcher was called, as it says. */
  private static final String LAUNCHER = "HOLDFAST_LAUNCHER";

  @Spec private CommandSpec spec;

  @Option(
      names = "--port",
      paramLabel = "<port>",
      defaultValue = "0",
      description = "The port to listen on, 0 for any that is free (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--for",
      paramLabel = "<duration>",
      converter = DurationText.class,
      description = "End after a time such as 30s or 5m (default: never).")
  private @Nullable Long timeMs;

  private final CountDownLatch ended = new CountDownLatch(1);

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (port < 0 || port > 65_535) {
      throw new ParameterException(
          spec.commandLine(), "--port: expected 0 to 65535, but got " + port);
    }
    ServerLog.leaveOutTaskEvents();
    ServerLog.install();
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
      return ExitCode.SOFTWARE;
    } finally {
      BenchDirectory.delete(directory);
    }
    say("The demo is over; nothing of it is left.");
    return ExitCode.OK;
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

  /** Runs when a signal ends the process, which would count as a failure if it were not halted. */
  private void stop(Demo demo, Path directory) {
    demo.close();
    BenchDirectory.delete(directory);
    say("The demo is over; nothing of it is left.");
    Runtime.getRuntime().halt(ExitCode.OK);
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
