package io.holdfast.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The borders of the command line, one test each. */
class ArchitectureTest {
  private static final String ROOT = "io.holdfast.cli";
  private static final String TERMINAL = "io.holdfast.cli.terminal..";
  private static final String OUTPUT = "io.holdfast.cli.output..";
  private static final String OPTIONS = "io.holdfast.cli.options..";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void shouldHaveNoCycles() {
    slices().matching("io.holdfast.cli.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void shouldKnowAllCommandsOnlyInTheRoot() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT, "io.holdfast.cli.training..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT)
        .check(CLASSES);
  }

  @Test
  void shouldKnowNoCommandInSharedPackages() {
    noClasses()
        .that()
        .resideInAnyPackage(TERMINAL, OUTPUT, OPTIONS)
        .should()
        .dependOnClassesThat()
        .haveSimpleNameEndingWith("Command")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage(OUTPUT)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(OPTIONS)
        .check(CLASSES);
  }

  /** A command that calls a server starts quickly because it loads neither engine nor server. */
  @Test
  void shouldKeepTheEngineOutOfCommandsThatCallAServer() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.holdfast.cli.store..",
            "io.holdfast.cli.serve..",
            "io.holdfast.cli.cluster..",
            "io.holdfast.cli.bench..",
            "io.holdfast.cli.demo..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.holdfast.engine..", "io.netty..", "org.rocksdb..")
        .check(CLASSES);
  }
}
