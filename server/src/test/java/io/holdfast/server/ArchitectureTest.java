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
import io.holdfast.api.ForwardingBroker;
import io.holdfast.api.wire.VerbStep;
import org.junit.jupiter.api.Test;

/** The borders of the server, one test each. */
class ArchitectureTest {
  private static final String SERVER = "io.holdfast.server..";
  private static final String HTTP = "io.holdfast.server.http..";
  private static final String FRAMES = "io.holdfast.server.frames..";
  private static final String NET = "io.holdfast.server.net..";
  private static final String TLS = "io.holdfast.server.tls..";
  private static final String PRIORITY = "io.holdfast.server.compat.priority..";
  private static final String QUEUES = "io.holdfast.server.queues..";
  private static final String GROUPS = "io.holdfast.server.groups..";
  private static final String COMPAT = "io.holdfast.server.compat..";
  private static final String FLOWS = "io.holdfast.server.flows..";
  private static final String STATUS = "io.holdfast.server.status..";
  private static final String JOBS = "io.holdfast.server.jobs..";
  private static final String TRACES = "io.holdfast.server.traces..";
  private static final String DASHBOARD = "io.holdfast.server.dashboard..";

  /** Packages by subject, each with its routes and their JSON. */
  private static final String[] SUBJECTS = {
    "io.holdfast.server.messages..",
    "io.holdfast.server.leases..",
    "io.holdfast.server.deadletters..",
    "io.holdfast.server.tasks..",
    "io.holdfast.server.commits.."
  };

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
        .resideInAnyPackage(QUEUES, GROUPS, PRIORITY, FLOWS, "io.holdfast.workflow..")
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
        .resideInAnyPackage(QUEUES, GROUPS, PRIORITY)
        .check(CLASSES);
  }

  @Test
  void shouldKeepOurRoutesFreeOfThoseForOtherClients() {
    noClasses()
        .that()
        .resideInAPackage(SERVER)
        .and()
        .resideOutsideOfPackages("io.holdfast.server", COMPAT)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(COMPAT)
        .check(CLASSES);
  }

  @Test
  void shouldLetJobsKnowNoWorkAndFilesNoData() {
    noClasses()
        .that()
        .resideInAnyPackage(JOBS, DASHBOARD)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(QUEUES, GROUPS, PRIORITY, FLOWS, STATUS, TRACES)
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAnyPackage(QUEUES, GROUPS, PRIORITY, FLOWS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(STATUS, TRACES)
        .check(CLASSES);
  }

  @Test
  void shouldKeepSubjectsFreeOfFacesAndStatus() {
    noClasses()
        .that()
        .resideInAnyPackage(SUBJECTS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(COMPAT, FLOWS, STATUS, TRACES, "tools.jackson..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAnyPackage(HTTP, JOBS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(SUBJECTS)
        .check(CLASSES);
  }

  @Test
  void shouldShowNettyToFewClasses() {
    noClasses()
        .that()
        .resideOutsideOfPackages(NET, TLS, FRAMES, HTTP, "io.holdfast.server")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.netty..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage(HTTP)
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.netty..")
                .and(not(resideInAPackage("io.netty.handler.codec.http"))))
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAnyPackage(QUEUES, GROUPS, COMPAT, FLOWS, STATUS, JOBS, TRACES, DASHBOARD)
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

  /** A step with a rule for blocking verbs alone would be bypassed by the asynchronous ones. */
  @Test
  void shouldOverrideAsynchronousVerbsTogetherWithBlockingOnes() {
    for (JavaClass step : CLASSES) {
      if (step.isAssignableTo(VerbStep.class)) {
        assertThat(overrides(step, "ask")).as(step.getName()).isTrue();
        assertThat(overrides(step, "askAsync")).as(step.getName()).isTrue();
      }
    }
  }

  /** A step has no methods of single verbs, so that it cannot leave one out. */
  @Test
  void shouldHaveAllBrokersOfTheChainAskVerbs() {
    noClasses().should().beAssignableTo(ForwardingBroker.class).check(CLASSES);
  }

  private static boolean overrides(JavaClass type, String method) {
    return type.getMethods().stream().anyMatch(each -> each.getName().equals(method));
  }
}
