package io.holdfast.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Makes the archive that is installed, from what was built and from the folders {@code dist} and
 * {@code docs}.
 */
public final class Packager {
  private static final int BUFFER = 64 * 1024;

  private final Path root;
  private final Path app;
  private final Build build;

  Packager(Path root, Build build) {
    this.root = root;
    this.app = root.resolve("cli/target/dist");
    this.build = build;
  }

  /** Takes the folder of the sources; says where the archive is. */
  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]).toAbsolutePath().normalize();
    Packager packager = new Packager(root, Build.current());
    Path target = Files.createDirectories(root.resolve("target"));
    Path archive = target.resolve(packager.name() + ".tar.gz");
    // Whoever looks finds the old one or the new one, never a part.
    Path part = target.resolve(packager.name() + ".part");
    packager.write(part);
    Files.move(part, archive, StandardCopyOption.REPLACE_EXISTING);
    System.out.println(archive);
  }

  /** The archive's name without its endings: also the name of the one folder in it. */
  String name() {
    return "holdfast-" + build.version();
  }

  void write(Path archive) throws IOException {
    Tar tar = content();
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(archive), BUFFER);
        OutputStream packed = new Quick(out)) {
      tar.write(packed);
    }
  }

  /** Most of it is packed already, so to pack it well would take long and save little. */
  private static final class Quick extends GZIPOutputStream {
    Quick(OutputStream out) throws IOException {
      super(out, BUFFER);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  private Tar content() throws IOException {
    Tar tar = new Tar(build.time());
    List<Path> libraries = files(app.resolve("lib"));
    tar.add(in("holdfast.jar"), app.resolve("holdfast.jar"));
    for (Path library : libraries) {
      tar.add(in("lib/" + library.getFileName()), library);
    }
    tar.add(in("bin/holdfast"), Files.readAllBytes(dist("holdfast")), true);
    tar.add(in("lib/launch.sh"), dist("launch.sh"));
    tar.add(in("README.md"), dist("README.md"));
    for (String name : List.of("LICENSE", "NOTICE")) {
      tar.add(in(name), root.resolve(name));
    }
    for (String name :
        List.of("holdfast.service", "holdfast.env", "Containerfile", "prometheus-rules.yml")) {
      tar.add(in("dist/" + name), dist(name));
    }
    List<Path> others =
        libraries.stream()
            .filter(jar -> !jar.getFileName().toString().startsWith("holdfast-"))
            .toList();
    tar.add(in("THIRD-PARTY.md"), new ThirdParty(build.repository()).page(others).getBytes(UTF_8));
    for (Path page : files(root.resolve("docs"))) {
      tar.add(in(slashes(root.relativize(page))), page);
    }
    return tar;
  }

  private String in(String name) {
    return name() + "/" + name;
  }

  private Path dist(String name) {
    return root.resolve("dist").resolve(name);
  }

  private static String slashes(Path path) {
    return path.toString().replace(path.getFileSystem().getSeparator(), "/");
  }

  private static List<Path> files(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new IOException(folder + " is not there: build first, with ./holdfast package");
    }
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
