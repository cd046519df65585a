package io.holdfast.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The bom lists the published modules, in the version of the project, and nothing else. */
class BomTest {
  private static final Path ROOT = Path.of("..");

  private static Document pom(String module) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(ROOT.resolve(module).resolve("pom.xml").toFile());
  }

  private static List<String> texts(Document pom, String parent, String element) {
    List<String> texts = new ArrayList<>();
    NodeList found = pom.getElementsByTagName(element);
    for (int i = 0; i < found.getLength(); i++) {
      if (((Element) found.item(i).getParentNode()).getTagName().equals(parent)) {
        texts.add(found.item(i).getTextContent());
      }
    }
    return texts;
  }

  @Test
  void shouldListThePublishedModules() throws Exception {
    // given
    List<String> published = new ArrayList<>();
    for (String module : texts(pom(""), "modules", "module")) {
      Document pom = pom(module);
      if (!module.equals("bom") && texts(pom, "properties", "unpublished").isEmpty()) {
        published.addAll(texts(pom, "project", "artifactId"));
      }
    }
    // when
    Document bom = pom("bom");
    // then
    assertThat(published).contains("holdfast-client");
    assertThat(texts(bom, "dependency", "artifactId"))
        .containsExactlyInAnyOrderElementsOf(published);
    assertThat(texts(bom, "dependency", "version")).containsOnly("${project.version}");
  }

  @Test
  void shouldHaveTheVersionOfTheProjectAndNoParent() throws Exception {
    Document bom = pom("bom");
    assertThat(texts(bom, "project", "version")).isEqualTo(texts(pom(""), "project", "version"));
    assertThat(texts(bom, "project", "parent"))
        .as("applications would import its dependency management")
        .isEmpty();
  }
}
