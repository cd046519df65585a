package io.holdfast.cli;

import io.holdfast.api.Broker;
import io.holdfast.cli.terminal.Text;
import io.holdfast.server.http.JsonOut;
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
import java.util.Locale;
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
      "Checks new code against the history of every flow that has not ended, and changes nothing.",
      "Exits with 1 if some flow would be blocked by it."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast flows verify --jar new.jar --class com.acme.Flows"})
final class FlowsVerifyCommand implements Callable<Integer> {
  private static final int PROGRESS_EVERY = 1_000;

  @Mixin private FlowOptions options;

  @Option(
      names = "--jar",
      paramLabel = "<file>",
      required = true,
      description = "A jar with the code, or a folder of classes; may be repeated.")
  private List<Path> jars = new ArrayList<>();

  @Option(
      names = "--class",
      paramLabel = "<name>",
      required = true,
      description =
          "A class in it that is a java.util.function.Supplier of the flows, as a"
              + " List<Definition>, with a public constructor without arguments.")
  private String className;

  @Override
  public Integer call() throws IOException {
    // Before anything else makes the JVM keep track of threads: the code of flows is run here.
    Collectable.prefer();
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars) {
      if (!Files.exists(jar)) {
        options.remote().fail("--jar: expected a file, but there is no " + jar);
        return Exit.USAGE;
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
      throw new IllegalArgumentException("--class: " + className + " cannot be made: " + e, e);
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
    RemoteOptions remote = options.remote();
    AtomicLong checked = new AtomicLong();
    VerifyReport report;
    try (Flows flows = Flows.on(broker, FlowsConfig.defaults().prefix(options.prefix()))) {
      report =
          flows
              .register(code)
              .verify(
                  flow -> {
                    if (checked.incrementAndGet() % PROGRESS_EVERY == 0) {
                      remote.err().println(checked + " flows are checked");
                      remote.err().flush();
                    }
                  });
    }
    return remote.print(
        Told.of(() -> document(report), () -> Text.of(words(report)))
            .exit(report.isFine() ? Exit.DONE : Exit.REFUSED));
  }

  private static String word(Verified.Verdict verdict) {
    return verdict.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String words(VerifyReport report) {
    StringBuilder text = new StringBuilder();
    for (Verified flow : report.troubles()) {
      text.append(flow.id())
          .append("  ")
          .append(flow.name())
          .append("  ")
          .append(flow.status())
          .append("  ")
          .append(word(flow.verdict()))
          .append(System.lineSeparator())
          .append(flow.words().indent(2));
    }
    text.append(report.total()).append(report.total() == 1 ? " flow: " : " flows: ");
    return text.append(
            Arrays.stream(Verified.Verdict.values())
                .map(verdict -> report.of(verdict) + " " + word(verdict))
                .collect(Collectors.joining(", ")))
        .toString();
  }

  private static JsonOut document(VerifyReport report) {
    JsonOut out = new JsonOut().beginObject().put("fine", report.isFine());
    out.beginObject("counts");
    for (Verified.Verdict verdict : Verified.Verdict.values()) {
      out.put(verdict.name().toLowerCase(Locale.ROOT), report.of(verdict));
    }
    out.endObject().beginArray("troubles");
    for (Verified flow : report.troubles()) {
      out.beginObject()
          .put("id", flow.id())
          .put("name", flow.name())
          .put("version", flow.version())
          .put("verdict", flow.verdict().name().toLowerCase(Locale.ROOT))
          .put("words", flow.words())
          .endObject();
    }
    return out.endArray().endObject();
  }
}
