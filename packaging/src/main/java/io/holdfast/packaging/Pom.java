package io.holdfast.packaging;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The description that a library has in Maven, as far as it tells of its name and its licence. */
final class Pom {
  private static final int PARENTS_MAX = 20;
  private static final String DOCTYPES = "http://apache.org/xml/features/disallow-doctype-decl";

  /** What a library may be used under. */
  record Licence(String name, String url) {}

  private final Element project;

  private Pom(Element project) {
    this.project = project;
  }

  static Pom read(byte[] xml) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature(DOCTYPES, true);
      return new Pom(
          factory.newDocumentBuilder().parse(new ByteArrayInputStream(xml)).getDocumentElement());
    } catch (ParserConfigurationException | SAXException broken) {
      throw new IOException("a pom that cannot be read", broken);
    }
  }

  /** Where a repository keeps a pom. */
  static Path in(Path repository, String group, String artifact, String version) {
    return repository
        .resolve(group.replace('.', '/'))
        .resolve(artifact)
        .resolve(version)
        .resolve(artifact + "-" + version + ".pom");
  }

  String group() {
    String own = text(project, "groupId");
    Element parent = child(project, "parent");
    return own != null || parent == null ? String.valueOf(own) : required(parent, "groupId");
  }

  private static String required(Element of, String name) {
    String value = text(of, name);
    if (value == null) {
      throw new IllegalArgumentException("a pom without " + name);
    }
    return value;
  }

  /** Its licences, or those of the nearest parent that has some. */
  List<Licence> licences(Path repository) throws IOException {
    Pom pom = this;
    for (int i = 0; i < PARENTS_MAX; i++) {
      List<Licence> own = pom.ownLicences();
      Element parent = child(pom.project, "parent");
      if (!own.isEmpty() || parent == null) {
        return own;
      }
      Path file =
          in(
              repository,
              required(parent, "groupId"),
              required(parent, "artifactId"),
              required(parent, "version"));
      if (!Files.exists(file)) {
        return List.of();
      }
      pom = read(Files.readAllBytes(file));
    }
    return List.of();
  }

  private List<Licence> ownLicences() {
    List<Licence> found = new ArrayList<>();
    Element all = child(project, "licenses");
    if (all == null) {
      return found;
    }
    NodeList nodes = all.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      if (nodes.item(i) instanceof Element each && each.getTagName().equals("license")) {
        String url = text(each, "url");
        found.add(new Licence(required(each, "name"), url == null ? "" : url));
      }
    }
    return found;
  }

  private static @Nullable Element child(Element of, String name) {
    NodeList nodes = of.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      Node node = nodes.item(i);
      if (node instanceof Element element && element.getTagName().equals(name)) {
        return element;
      }
    }
    return null;
  }

  private static @Nullable String text(Element of, String name) {
    Element element = child(of, name);
    return element == null ? null : element.getTextContent().strip().replaceAll("\\s+", " ");
  }
}
