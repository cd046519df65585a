package io.holdfast.cli.flows;

import io.holdfast.api.Broker;
import io.holdfast.cli.options.ServerOptions;
import io.holdfast.cli.output.CommandOutput;
import io.holdfast.cli.output.ExitCodes;
import io.holdfast.cli.output.Labels;
import io.holdfast.cli.terminal.Text;
import io.holdfast.json.JsonOut;
import io.holdfast.workflow.Definition;
import io.holdfast.workflow.Flows;
import io.holdfast.workflow.FlowsConfig;
import io.holdfast.workflow.Verified;
import io.holdfast.workflow.VerifyReport;
import io.holdfast.workflow.replay.Collectable;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code flows verify} command. */
@Command(
    name = "verify",
    description = {
      "Check new code against the history of every running flow, without changing anything.",
      "Exits with 1 if a flow would be blocked."
    },
    footer = {"  holdfast flows verify --jar new.jar --class com.acme.Flows"})
final class FlowsVerifyCommand implements Callable<Integer> {
  private static final int PROGRESS_EVERY = 1_000;

  @Mixin private FlowOptions options;

  @Option(
      names = "--jar",
      paramLabel = "<file>",
      required = true,
      description = "Jar or directory of classes with the new code; may be repeated.")
  private List<Path> jars = new ArrayList<>();

  @Option(
      names = "--class",
      paramLabel = "<name>",
      required = true,
      description =
          "Class that implements java.util.function.Supplier<List<Definition>>, with a public"
              + " constructor without arguments.")
  private String className;

  @Override
  public Integer call() throws IOException {
    // Must come before the JVM first tracks a thread: the code of flows runs here.
    Collectable.prefer();
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars) {
      if (!Files.exists(jar)) {
        return options.remote().fail(ExitCodes.USAGE, "--jar: no such file: " + jar);
      }
      urls.add(jar.toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), getClass().getClassLoader())) {
      return options.remote().run(broker -> verify(broker, definitions(loader)));
    }
  }

  private Definition[] definitions(ClassLoader loader) {
    Object made;
    try {
      made = Class.forName(className, true, loader).getConstructor().newInstance();
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalArgumentException("--class: " + className + " cannot be created: " + e, e);
    }
    if (!(made instanceof Supplier<?> supplier) || !(supplier.get() instanceof List<?> list)) {
      throw new IllegalArgumentException(
          "--class: expected a Supplier<List<Definition>>, but " + className + " is none");
    }
    return list.stream()
        .map(
            one -> {
              if (one instanceof Definition definition) {
                return definition;
              }
              throw new IllegalArgumentException(
                  "--class: expected flows and activities from " + className + ", but got " + one);
            })
        .toArray(Definition[]::new);
  }

  private int verify(Broker broker, Definition[] code) {
    ServerOptions remote = options.remote();
    AtomicLong checked = new AtomicLong();
    VerifyReport report;
    try (Flows flows = Flows.on(broker, FlowsConfig.defaults().prefix(options.prefix()))) {
      report =
          flows
              .register(code)
              .verify(
                  flow -> {
                    if (checked.incrementAndGet() % PROGRESS_EVERY == 0) {
                      remote.err().println(checked + " flows checked");
                      remote.err().flush();
                    }
                  });
    }
    return remote.print(
        CommandOutput.of(() -> document(report), () -> Text.of(summary(report)))
            .exit(report.isFine() ? ExitCodes.DONE : ExitCodes.REFUSED));
  }

  private static String summary(VerifyReport report) {
    StringBuilder text = new StringBuilder();
    for (Verified flow : report.troubles()) {
      text.append(
          "%s  %s  %s  %s%n%s"
              .formatted(
                  flow.id(),
                  flow.name(),
                  flow.status(),
                  Labels.of(flow.verdict()),
                  flow.words().indent(2)));
    }
    text.append(Labels.count(report.total(), "flow")).append(": ");
    return text.append(
            Arrays.stream(Verified.Verdict.values())
                .map(verdict -> report.of(verdict) + " " + Labels.of(verdict))
                .collect(Collectors.joining(", ")))
        .toString();
  }

  private static JsonOut document(VerifyReport report) {
    JsonOut out = new JsonOut().beginObject().put("fine", report.isFine());
    out.beginObject("counts");
    for (Verified.Verdict verdict : Verified.Verdict.values()) {
      out.put(Labels.json(verdict), report.of(verdict));
    }
    out.endObject().beginArray("troubles");
    for (Verified flow : report.troubles()) {
      out.beginObject()
          .put("id", flow.id())
          .put("name", flow.name())
          .put("version", flow.version())
          .put("verdict", Labels.json(flow.verdict()))
          .put("words", flow.words())
          .endObject();
    }
    return out.endArray().endObject();
  }
}
