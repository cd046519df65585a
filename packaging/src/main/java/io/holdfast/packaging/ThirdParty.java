package io.holdfast.packaging;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The libraries of others that an archive holds, and what each may be used under, as their poms
 * say. The poms lie where Maven put them when it fetched the libraries: nothing is fetched here.
 */
final class ThirdParty {
  private static final Pattern JAR = Pattern.compile("(.+?)-([0-9][^/]*)\\.jar");
  private static final String BUNDLE_LICENCE = "Bundle-License";

  /** A library: its name without its group, and its version. */
  private record Library(String artifact, String version) {
    String pom() {
      return artifact + "-" + version + ".pom";
    }
  }

  private final Path repository;
  private final Map<String, Path> poms = new HashMap<>();

  ThirdParty(Path repository) {
    this.repository = repository;
  }

  /**
   * The list as a page.
   *
   * @throws IOException also if a library does not say what it may be used under
   */
  String page(List<Path> jars) throws IOException {
    Map<Library, Path> libraries = new HashMap<>();
    for (Path jar : jars) {
      Matcher matcher = JAR.matcher(jar.getFileName().toString());
      if (!matcher.matches()) {
        throw new IOException("a library without a version in its name: " + jar.getFileName());
      }
      libraries.put(new Library(matcher.group(1), matcher.group(2)), jar);
    }
    find(libraries);
    Map<String, String> rows = new TreeMap<>();
    for (Map.Entry<Library, Path> each : libraries.entrySet()) {
      Library library = each.getKey();
      Path file = poms.get(library.pom());
      Pom pom = file == null ? null : Pom.read(Files.readAllBytes(file));
      String name = (pom == null ? "" : pom.group() + ":") + library.artifact();
      rows.put(
          name,
          "| %s | %s | %s |"
              .formatted(name, library.version(), licences(pom, each.getValue(), name)));
    }
    return """
        # Libraries of others

        Holdfast stands on these libraries. They lie in `lib/` as their makers published them, with their notices
        inside; each may be used under the licence its maker names.

        | library | version | licence |
        | --- | --- | --- |
        """
        + String.join("\n", rows.values())
        + "\n";
  }

  /** Looks for all poms at once, because a repository has many files. */
  private void find(Map<Library, Path> libraries) throws IOException {
    List<String> wanted = libraries.keySet().stream().map(Library::pom).toList();
    if (!Files.isDirectory(repository)) {
      return;
    }
    Files.walkFileTree(
        repository,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = file.getFileName().toString();
            if (name.endsWith(".pom") && wanted.contains(name)) {
              poms.putIfAbsent(name, file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private String licences(@Nullable Pom pom, Path jar, String name) throws IOException {
    List<Pom.Licence> licences = pom == null ? List.of() : pom.licences(repository);
    if (!licences.isEmpty()) {
      return licences.stream().map(ThirdParty::shown).collect(Collectors.joining("; or "));
    }
    try (JarFile file = new JarFile(jar.toFile())) {
      String told =
          file.getManifest() == null
              ? null
              : file.getManifest().getMainAttributes().getValue(BUNDLE_LICENCE);
      if (told == null) {
        throw new IOException("it is not known what " + name + " may be used under");
      }
      return told.replaceAll("[\"|]", "");
    }
  }

  private static String shown(Pom.Licence licence) {
    String name = licence.name().replace("|", "/");
    return licence.url().isEmpty() ? name : "[" + name + "](" + licence.url() + ")";
  }
}
