package io.holdfast.workflow;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.holdfast.api.Broker;
import org.junit.jupiter.api.Test;

/** The borders of the flows, one test each. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.holdfast.workflow");

  @Test
  void shouldKnowNoBrokerButTheApi() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.holdfast.server..",
            "io.holdfast.client..",
            "io.holdfast.testkit..",
            "io.holdfast.bench..",
            "io.holdfast.cli..")
        .check(CLASSES);
  }

  @Test
  void shouldNeedTheEngineOnlyForTests() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.holdfast.workflow.test..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.holdfast.engine..", "io.holdfast.workflow.test..")
        .check(CLASSES);
  }

  @Test
  void shouldReplayWithoutABroker() {
    noClasses()
        .that()
        .resideInAnyPackage("io.holdfast.workflow.replay..", "io.holdfast.workflow.history..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Broker.class)
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.holdfast.workflow.store..",
            "io.holdfast.workflow.worker..",
            "io.holdfast.workflow.admin..")
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
