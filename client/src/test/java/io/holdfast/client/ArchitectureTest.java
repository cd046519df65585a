package io.holdfast.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The borders of the client, one test each. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.holdfast.client");

  @Test
  void shouldKnowNoBrokerButTheApi() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.holdfast.engine..",
            "io.holdfast.server..",
            "io.holdfast.testkit..",
            "io.holdfast.bench..",
            "io.holdfast.cli..")
        .check(CLASSES);
  }

  @Test
  void shouldWorkOnAnyBroker() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.holdfast.client.produce..",
            "io.holdfast.client.consume..",
            "io.holdfast.client.acks..",
            "io.holdfast.client.tasks..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.holdfast.client.remote..")
        .check(CLASSES);
  }

  @Test
  void shouldNeedMicrometerOnlyForItsBinders() {
    noClasses()
        .that()
        .haveNameNotMatching(".*Meters.*")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.micrometer..")
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
