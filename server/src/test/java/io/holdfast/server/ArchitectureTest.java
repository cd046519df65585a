package io.holdfast.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.holdfast.api.ForwardingAsyncBroker;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The borders of the server, one test each. */
class ArchitectureTest {
  private static final String SERVER = "io.holdfast.server..";
  private static final String HTTP = "io.holdfast.server.http..";
  private static final String FRAMES = "io.holdfast.server.frames..";
  private static final String NET = "io.holdfast.server.net..";
  private static final String TLS = "io.holdfast.server.tls..";
  private static final String QUEEN = "io.holdfast.server.queen..";
  private static final String PRIORITY = "io.holdfast.server.priority..";
  private static final String FLOWS = "io.holdfast.server.flows..";
  private static final String STATUS = "io.holdfast.server.status..";
  private static final String JOBS = "io.holdfast.server.jobs..";
  private static final String TRACES = "io.holdfast.server.traces..";
  private static final String DASHBOARD = "io.holdfast.server.dashboard..";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.holdfast.server");

  @Test
  void shouldKnowNoBrokerButTheApi() {
    noClasses()
        .that()
        .resideInAPackage(SERVER)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.holdfast.engine..",
            "io.holdfast.testkit..",
            "io.holdfast.bench..",
            "io.holdfast.cli..",
            "org.rocksdb..")
        .check(CLASSES);
  }

  @Test
  void shouldKeepWhatIsAboutHttpFreeOfTheFaces() {
    noClasses()
        .that()
        .resideInAPackage(HTTP)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(QUEEN, PRIORITY, FLOWS, "io.holdfast.workflow..")
        .check(CLASSES);
  }

  @Test
  void shouldKnowFlowsInOneFaceOnly() {
    noClasses()
        .that()
        .resideInAPackage(SERVER)
        .and()
        .resideOutsideOfPackages("io.holdfast.server", FLOWS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(FLOWS, "io.holdfast.workflow..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage(FLOWS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(QUEEN, PRIORITY)
        .check(CLASSES);
  }

  @Test
  void shouldKeepTheFacesApart() {
    noClasses()
        .that()
        .resideInAPackage(PRIORITY)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(QUEEN)
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage(QUEEN)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(PRIORITY)
        .check(CLASSES);
  }

  @Test
  void shouldLetJobsKnowNoWorkAndFilesNoData() {
    noClasses()
        .that()
        .resideInAnyPackage(JOBS, DASHBOARD)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(QUEEN, PRIORITY, FLOWS, STATUS, TRACES)
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAnyPackage(QUEEN, PRIORITY, FLOWS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(STATUS, TRACES)
        .check(CLASSES);
  }

  @Test
  void shouldShowNettyToFewClasses() {
    noClasses()
        .that()
        .resideOutsideOfPackages(NET, TLS, FRAMES, "io.holdfast.server")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.netty..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAnyPackage(QUEEN, PRIORITY, FLOWS, STATUS, JOBS, TRACES, DASHBOARD)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("tools.jackson..")
        .check(CLASSES);
  }

  @Test
  void shouldLetConnectionsKnowOnlyWhatIsAboutHttp() {
    noClasses()
        .that()
        .resideInAPackage(NET)
        .should()
        .dependOnClassesThat(resideInAPackage(SERVER).and(not(resideInAnyPackage(HTTP, NET))))
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage(HTTP)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(NET)
        .check(CLASSES);
  }

  @Test
  void shouldGiveEveryClassANameThatSaysSomething() {
    noClasses()
        .should()
        .haveNameMatching(".*(Manager|Service|Utils?|Helper|Impl|Base|Common)")
        .check(CLASSES);
  }

  /** A wrapper with a rule for a blocking verb alone would be bypassed by the asynchronous one. */
  @Test
  void shouldOverrideAsynchronousVerbsTogetherWithBlockingOnes() {
    for (JavaClass wrapper : CLASSES) {
      if (wrapper.isAssignableTo(ForwardingAsyncBroker.class)) {
        for (String verb : List.of("push", "pop", "settle", "extend", "commit")) {
          assertThat(overrides(wrapper, verb + "Async"))
              .as(wrapper.getName() + "." + verb)
              .isEqualTo(overrides(wrapper, verb));
        }
      }
    }
  }

  private static boolean overrides(JavaClass type, String method) {
    return type.getMethods().stream().anyMatch(each -> each.getName().equals(method));
  }
}
