package io.holdfast.cluster;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The borders of the cluster, one test each. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.holdfast.cluster");

  @Test
  void shouldKnowOnlyTheApiTheEngineAndTheClient() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.holdfast.server..",
            "io.holdfast.workflow..",
            "io.holdfast.testkit..",
            "io.holdfast.bench..",
            "io.holdfast.cli..")
        .check(CLASSES);
  }

  @Test
  void shouldOrderEntriesWithoutTheCallsBetweenNodes() {
    noClasses()
        .that()
        .resideInAPackage("io.holdfast.cluster.raft..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.holdfast.cluster", "io.holdfast.cluster.peer..")
        .check(CLASSES);
  }

  @Test
  void shouldSecureNodesWithoutKnowingTheLog() {
    noClasses()
        .that()
        .resideInAPackage("io.holdfast.cluster.security..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.holdfast.engine..",
            "io.holdfast.cluster",
            "io.holdfast.cluster.raft..",
            "io.holdfast.cluster.peer..")
        .check(CLASSES);
  }

  @Test
  void shouldUseTheLogOfRatisInOnePackage() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.holdfast.cluster.raft..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.ratis.server..",
            "org.apache.ratis.statemachine..",
            "org.apache.ratis.conf..",
            "org.apache.ratis.protocol..")
        .check(CLASSES);
  }

  @Test
  void shouldGiveEveryClassANameThatSaysSomething() {
    noClasses()
        .should()
        .haveNameMatching(".*(Manager|Service|Utils?|Helper|Impl|Base|Common)")
        .check(CLASSES);
  }
}
