import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Copies the output of a Maven build from standard input to standard output and then prints how long each module and
 * the slowest test classes took. Run by {@code ./holdfast test}.
 *
 * <p>The time of a plugin goal is the time between its heading and the next heading of the same module. Test classes
 * are read from {@code target/test-times/*.tsv} of each module, which {@code TestTimesListener} writes.
 */
public final class TestTimes {
  private static final int CLASSES_SHOWN = 30;
  private static final Pattern GOAL =
      Pattern.compile("--- (?:maven-)?([a-z-]+?)(?:-maven)?(?:-plugin)?:[^:]+:([A-Za-z-]+) .*@ (\\S+) ---");

  private enum Phase {
    COMPILE,
    TEST,
    OTHER
  }

  /** The goal that a module is running. */
  private record Running(Phase phase, long startNanos) {}

  /** A test class: its time, and the processor time of its JVM in that time. */
  private record TestClass(String module, String name, long tests, long wallMs, long cpuMs) {
    long waitingMs() {
      return Math.max(0, wallMs - cpuMs);
    }
  }

  private final Map<String, long[]> nanosOf = new LinkedHashMap<>();
  private final Map<String, Running> running = new LinkedHashMap<>();

  private TestTimes() {}

  /**
   * @param args the root folder of the sources
   */
  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    TestTimes times = new TestTimes();
    times.copy(out);
    times.report(testClasses(Path.of(args[0])), out);
  }

  private void copy(PrintStream out) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.println(line);
      Matcher goal = GOAL.matcher(line);
      if (goal.find()) {
        start(goal.group(3), phase(goal.group(1)));
      }
    }
  }

  private static Phase phase(String plugin) {
    return switch (plugin) {
      case "compiler" -> Phase.COMPILE;
      case "surefire" -> Phase.TEST;
      default -> Phase.OTHER;
    };
  }

  private void start(String module, Phase phase) {
    stop(module);
    running.put(module, new Running(phase, System.nanoTime()));
  }

  private void stop(String module) {
    long[] nanos = nanosOf.computeIfAbsent(module, any -> new long[Phase.values().length]);
    Running ended = running.remove(module);
    if (ended != null) {
      nanos[ended.phase().ordinal()] += System.nanoTime() - ended.startNanos();
    }
  }

  private static List<TestClass> testClasses(Path root) throws IOException {
    List<TestClass> found = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.filter(Files::isDirectory).toList()) {
        Path folder = module.resolve("target/test-times");
        if (Files.isDirectory(folder)) {
          try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
              Files.readAllLines(file).forEach(line -> found.add(testClass(module, line)));
            }
          }
        }
      }
    }
    return found;
  }

  private static TestClass testClass(Path module, String line) {
    String[] fields = line.split("\t", -1);
    return new TestClass(
        module.getFileName().toString(),
        fields[0],
        Long.parseLong(fields[1]),
        Long.parseLong(fields[2]),
        Long.parseLong(fields[3]));
  }

  private void report(List<TestClass> classes, PrintStream out) {
    out.printf("%nTime by module, in seconds%n%9s %9s  %s%n", "compile", "tests", "module");
    long[] total = new long[Phase.values().length];
    nanosOf.forEach(
        (module, nanos) -> {
          printModule(nanos, module, out);
          for (int i = 0; i < total.length; i++) {
            total[i] += nanos[i];
          }
        });
    printModule(total, "all", out);
    out.printf(
        "%nTest classes: %d with %d tests, %.0f s, of which %.0f s waiting. The slowest:%n%9s %9s %9s  %s%n",
        classes.size(),
        classes.stream().mapToLong(TestClass::tests).sum(),
        seconds(classes.stream().mapToLong(TestClass::wallMs).sum()),
        seconds(classes.stream().mapToLong(TestClass::waitingMs).sum()),
        "seconds",
        "waiting",
        "tests",
        "class");
    classes.stream()
        .sorted(Comparator.comparingLong(TestClass::wallMs).reversed())
        .limit(CLASSES_SHOWN)
        .forEach(
            each ->
                out.printf(
                    "%9.1f %9.1f %9d  %s %s%n",
                    seconds(each.wallMs()),
                    seconds(each.waitingMs()),
                    each.tests(),
                    each.module(),
                    each.name().substring(each.name().lastIndexOf('.') + 1)));
  }

  private static void printModule(long[] nanos, String name, PrintStream out) {
    out.printf("%9.1f %9.1f  %s%n", nanos[0] / 1e9, nanos[1] / 1e9, name);
  }

  private static double seconds(long ms) {
    return ms / 1e3;
  }
}
