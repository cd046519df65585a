package io.holdfast.server.dashboard;

import io.holdfast.server.http.Digests;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of the dashboard: its own, and those of its libraries, all from the class path.
 *
 * <p>Invariant: only files of the listed types inside these folders can be named, whatever is asked
 * for. Each is read once and kept.
 *
 * <p>Thread: any.
 */
final class AssetFiles {
  /** If this property names a folder, our own files are read from there each time. */
  static final String FOLDER_PROPERTY = "holdfast.dashboard";

  static final String PAGE = "index.html";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
  private static final String WEBJARS = "/META-INF/resources/webjars/";
  private static final String POMS = "/META-INF/maven/org.webjars.npm/";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "woff2", "font/woff2");

  /** The names of libraries in paths, and of their WebJars with the folder of their scripts. */
  private static final Map<String, String> LIBRARIES =
      Map.of(
          "lit", "lit/",
          "lit-html", "lit-html/",
          "lit-element", "lit-element/",
          "reactive-element", "lit__reactive-element/",
          "chart", "chart.js/dist/",
          "color", "kurkle__color/dist/");

  /** The version of files that are read from a folder, which may change at any time. */
  static final String UNVERSIONED = "dev";

  private static final int VERSION_CHARS = 16;

  private final Map<String, Asset> kept = new ConcurrentHashMap<>();
  private final Map<String, String> libraryFolders = new ConcurrentHashMap<>();
  private final @Nullable Path folder;
  private @Nullable String version;

  /**
   * @param folder where our own files are read from each time; null for the class path
   */
  AssetFiles(@Nullable Path folder) {
    this.folder = folder;
  }

  /** The files as they were packed, or from the folder that a developer named. */
  static AssetFiles configured() {
    String folder = System.getProperty(FOLDER_PROPERTY);
    return new AssetFiles(folder == null ? null : Path.of(folder));
  }

  /** A name for all files as they are: part of their paths, so that browsers can keep them. */
  synchronized String version() {
    String known = version;
    if (known == null) {
      known = folder == null ? packedVersion() : UNVERSIONED;
      version = known;
    }
    return known;
  }

  private static String packedVersion() {
    URL page = AssetFiles.class.getResource(PAGE);
    try {
      URI uri = Objects.requireNonNull(page).toURI();
      if (!uri.getScheme().equals("jar")) {
        return digest(Path.of(uri).resolveSibling(""));
      }
      try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
        return digest(jar.provider().getPath(uri).resolveSibling(""));
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    } catch (URISyntaxException noAddress) {
      throw new IllegalStateException(noAddress);
    }
  }

  /** A digest of all files of a folder, and of the versions of the libraries. */
  private static String digest(Path folder) throws IOException {
    ByteArrayOutputStream digests = new ByteArrayOutputStream();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
        if (type(file.toString()) != null) {
          digests.writeBytes(Digests.sha256(folder.relativize(file).toString()));
          digests.writeBytes(Digests.sha256(Files.readAllBytes(file)));
        }
      }
    }
    for (String library : LIBRARIES.values().stream().sorted().toList()) {
      digests.writeBytes(Digests.sha256(libraryFolder(library)));
    }
    String hex = HexFormat.of().formatHex(Digests.sha256(digests.toByteArray()));
    return hex.substring(0, VERSION_CHARS);
  }

  /** The page, whose links name the version of the files; null if there is none. */
  @Nullable Asset page() {
    Asset page = own(PAGE);
    if (page == null) {
      return null;
    }
    String html = new String(page.bytes(), StandardCharsets.UTF_8);
    String links =
        html.replace("\"/assets/", "\"/assets/" + version() + "/")
            .replace("\"/vendor/", "\"/vendor/" + version() + "/");
    return asset(PAGE, links.getBytes(StandardCharsets.UTF_8));
  }

  /** A file of ours; null if there is none. */
  @Nullable Asset own(String... path) {
    String name = name(path);
    if (name == null) {
      return null;
    }
    return folder == null ? packed(name) : read(folder.resolve(name));
  }

  /** A script of a library; null if there is none. */
  @Nullable Asset vendor(String library, String... path) {
    String known = LIBRARIES.get(library);
    String name = name(path);
    return known == null || name == null || !name.endsWith(".js")
        ? null
        : packed(libraryFolders.computeIfAbsent(known, AssetFiles::libraryFolder) + name);
  }

  private static @Nullable String name(String... path) {
    for (String segment : path) {
      if (!NAME.matcher(segment).matches()) {
        return null;
      }
    }
    String name = String.join("/", path);
    return type(name) == null ? null : name;
  }

  private static @Nullable String type(String name) {
    return TYPES.get(name.substring(name.lastIndexOf('.') + 1));
  }

  private @Nullable Asset packed(String resource) {
    return kept.computeIfAbsent(
        resource,
        name -> {
          try (InputStream in = AssetFiles.class.getResourceAsStream(name)) {
            return in == null ? null : asset(name, in.readAllBytes());
          } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
          }
        });
  }

  private static @Nullable Asset read(Path file) {
    try {
      return Files.isRegularFile(file) ? asset(file.toString(), Files.readAllBytes(file)) : null;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Asset asset(String name, byte[] bytes) {
    String type = type(name);
    if (type == null) {
      throw new IllegalArgumentException("no type is known for " + name);
    }
    return Asset.of(type, bytes);
  }

  /** Where the scripts of a library are. Its version is part of the path; its WebJar tells it. */
  private static String libraryFolder(String library) {
    int slash = library.indexOf('/');
    String webJar = library.substring(0, slash);
    try (InputStream in = AssetFiles.class.getResourceAsStream(POMS + webJar + "/pom.properties")) {
      Properties properties = new Properties();
      properties.load(Objects.requireNonNull(in, webJar));
      String version = properties.getProperty("version");
      return WEBJARS + webJar + '/' + version + library.substring(slash);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
