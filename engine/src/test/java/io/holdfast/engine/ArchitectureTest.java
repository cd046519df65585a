package io.holdfast.engine;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.holdfast.engine.store.Store;
import io.holdfast.engine.store.Tx;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The borders between the packages, one test each. */
class ArchitectureTest {

  private static final String API = "io.holdfast.api..";
  private static final String COMMAND = "io.holdfast.engine.command..";
  private static final String LOGIC = "io.holdfast.engine.logic..";
  private static final String QUERY = "io.holdfast.engine.query..";
  private static final String VERIFY = "io.holdfast.engine.verify..";
  private static final String SEAL = "io.holdfast.engine.seal..";
  private static final String STORE = "io.holdfast.engine.store..";
  private static final String JAVA = "java..";
  private static final String NULLNESS = "org.jspecify.annotations..";
  private static final String ROCKSDB = "org.rocksdb..";

  private static final JavaClasses HOLDFAST =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.holdfast");

  @Test
  void shouldKeepApiFreeOfDependencies() {
    check(
        classes()
            .that()
            .resideInAPackage(API)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(API, JAVA, NULLNESS));
  }

  @Test
  void shouldKeepCommandsPlainData() {
    check(
        classes()
            .that()
            .resideInAPackage(COMMAND)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(COMMAND, API, JAVA, NULLNESS));
  }

  /** Neither query nor verify: what one node reads has no part in what all replicas apply. */
  @Test
  void shouldLetLogicUseOnlyCommandsStoreAndApi() {
    check(
        classes()
            .that()
            .resideInAPackage(LOGIC)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(LOGIC, COMMAND, STORE, API, JAVA, NULLNESS));
  }

  @Test
  void shouldLetQueryUseOnlyRulesCommandsStoreAndApi() {
    check(
        classes()
            .that()
            .resideInAPackage(QUERY)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(QUERY, LOGIC, COMMAND, STORE, API, JAVA, NULLNESS));
  }

  @Test
  void shouldLetVerifyUseOnlyRulesCommandsKeysStoreAndApi() {
    check(
        classes()
            .that()
            .resideInAPackage(VERIFY)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(VERIFY, LOGIC, COMMAND, SEAL, STORE, API, JAVA, NULLNESS));
  }

  @Test
  void shouldWriteNoRowsInQueryAndVerify() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(QUERY, VERIFY)
            .should()
            .dependOnClassesThat()
            .areAssignableTo(Tx.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Store.class));
  }

  @Test
  void shouldChangeNoFieldsOfTheIndexInQueryAndVerify() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(QUERY, VERIFY)
            .should()
            .setFieldWhere(target(owner(resideInAPackage(LOGIC)))));
  }

  @Test
  void shouldKeepEncryptionApart() {
    check(
        classes()
            .that()
            .resideInAPackage(SEAL)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(SEAL, COMMAND, API, JAVA, "javax.crypto..", NULLNESS));
  }

  @Test
  void shouldKeepThreadsAndInputOutputOutOfLogicAndQuery() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(LOGIC, QUERY)
            .should()
            .dependOnClassesThat(
                type(Thread.class)
                    .or(type(Timer.class))
                    .or(nameMatching("java\\.util\\.concurrent\\.(?!TimeUnit).*"))
                    .or(resideInAnyPackage("java.io..", "java.net..", "java.nio.file.."))
                    .or(resideInAnyPackage("java.nio.channels.."))));
  }

  /** Ids of leases must not be guessed by those who know others; see SecureBits. */
  @Test
  void shouldDrawNoRandomNumbersThatCanBeGuessed() {
    check(
        noClasses()
            .that()
            .resideInAPackage("io.holdfast.engine..")
            .should()
            .dependOnClassesThat(
                type(Random.class)
                    .or(type(SplittableRandom.class))
                    .or(type(java.util.concurrent.ThreadLocalRandom.class))
                    .or(type(java.util.random.RandomGenerator.class))));
  }

  @Test
  void shouldKeepClocksAndChanceOutOfLogicQueryAndVerify() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(LOGIC, QUERY, VERIFY)
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(UUID.class, "randomUUID")
            .orShould()
            .callMethod(Math.class, "random")
            .orShould()
            .dependOnClassesThat(
                type(Clock.class)
                    .or(type(Random.class))
                    .or(type(SplittableRandom.class))
                    .or(resideInAnyPackage("java.security..", "java.util.random.."))));
  }

  @Test
  void shouldKeepCommandsAndRulesOutOfTheStore() {
    check(
        noClasses()
            .that()
            .resideInAPackage(STORE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(COMMAND, LOGIC, QUERY, VERIFY));
  }

  @Test
  void shouldShowRocksDbToTheStoreAlone() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(STORE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROCKSDB));
  }

  @Test
  void shouldGiveEveryClassANameThatSaysSomething() {
    check(
        noClasses()
            .should()
            .haveNameMatching(".*(Manager|Service|Utils?|Helper|Impl|Base|Common)"));
  }

  /** A border holds for a package that has no classes yet. */
  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(HOLDFAST);
  }
}
