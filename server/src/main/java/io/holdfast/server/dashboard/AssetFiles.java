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
import java.util.Comparator;
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
 * for. Each is read once and kept; there are no more than {@link #FILES_MAX}.
 *
 * <p>Thread: any.
 */
final class AssetFiles {
  /** If this property names a folder, our own files are read from there each time. */
  static final String FOLDER_PROPERTY = "holdfast.dashboard";

  static final String PAGE = "index.html";

  private static final int FILES_MAX = 1_000;
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

  /** Where a library's scripts are: its WebJar, and the folder in it. */
  private record Library(String webJar, String folder) {}

  private static final Comparator<Library> BY_NAME = Comparator.comparing(Library::webJar);

  private static final Map<String, Library> LIBRARIES =
      Map.of(
          "lit", new Library("lit", ""),
          "lit-html", new Library("lit-html", ""),
          "lit-element", new Library("lit-element", ""),
          "reactive-element", new Library("lit__reactive-element", ""),
          "chart", new Library("chart.js", "dist/"),
          "color", new Library("kurkle__color", "dist/"));

  /** The version of files that are read from a folder, which may change at any time. */
  static final String UNVERSIONED = "dev";

  private static final int VERSION_CHARS = 16;

  private final Map<String, Asset> kept = new ConcurrentHashMap<>();
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
    for (Library library : LIBRARIES.values().stream().distinct().sorted(BY_NAME).toList()) {
      digests.writeBytes(Digests.sha256(library.webJar + version(library)));
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
    return folder == null ? kept(name, name) : read(folder.resolve(name));
  }

  /** A script of a library; null if there is none. */
  @Nullable Asset vendor(String library, String... path) {
    Library known = LIBRARIES.get(library);
    String name = name(path);
    if (known == null || name == null || !name.endsWith(".js")) {
      return null;
    }
    String key = library + "//" + name;
    Asset asset = kept.get(key);
    return asset != null
        ? asset
        : kept(key, WEBJARS + known.webJar + '/' + version(known) + '/' + known.folder + name);
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

  private @Nullable Asset kept(String key, String resource) {
    Asset asset = kept.get(key);
    if (asset != null) {
      return asset;
    }
    try (InputStream in = AssetFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        return null;
      }
      Asset read = asset(resource, in.readAllBytes());
      if (kept.size() < FILES_MAX) {
        kept.put(key, read);
      }
      return read;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
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

  /** The version is part of a path in a WebJar; it tells it itself. */
  private static String version(Library library) {
    String resource = POMS + library.webJar + "/pom.properties";
    try (InputStream in = AssetFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the library " + library.webJar + " is not packed");
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
