package io.holdfast.bench;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/** A further JVM with the classes and the compiler of this one, not yet started. */
public final class ChildJvm {
  private static final String COMPILER = "-XX:TieredStopAtLevel=";

  private final Class<?> main;
  private final List<String> options = new ArrayList<>();

  public ChildJvm(Class<?> main) {
    this.main = main;
    options.add("--enable-native-access=ALL-UNNAMED");
    options.add("-Dslf4j.internal.verbosity=ERROR");
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith(COMPILER))
        .forEach(options::add);
  }

  public ChildJvm option(String option) {
    options.add(option);
    return this;
  }

  /**
   * Lets the child load RocksDB from a directory. Otherwise it unpacks a copy of its own at every
   * start, and one that is killed leaves it behind.
   */
  public ChildJvm nativeLibraryIn(Path directory) throws IOException {
    String name = Environment.getJniLibraryFileName("rocksdb");
    Path library = directory.resolve(name);
    if (!Files.exists(library)) {
      Files.createDirectories(directory);
      try (InputStream packed = RocksDB.class.getClassLoader().getResourceAsStream(name)) {
        if (packed == null) {
          return this;
        }
        Files.copy(packed, library);
      }
    }
    return option("-Djava.library.path=" + directory);
  }

  public ProcessBuilder command(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }
}
