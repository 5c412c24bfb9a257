package io.countersign;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.annotatedWith;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

import io.countersign.kernel.AnyCaller;

import jakarta.annotation.security.RolesAllowed;

import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.modulith.core.ApplicationModules;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.UUID;

/** What holds across modules; each rule says why. */
@AnalyzeClasses(
        packages = ArchitectureTests.ROOT,
        importOptions = ArchitectureTests.MainSources.class)
class ArchitectureTests {
    static final String ROOT = "io.countersign";
    private static final ImportOption TEST_SOURCES = location -> isIn("src/test/java", location);

    @Test
    void modulesUseOnlyWhatTheyDeclare() {
        ApplicationModules.of(Countersign.class, new MainSources()).verify();
    }

    @Test
    void testsDoNotSleep() {
        noClasses()
                .that()
                .haveNameMatching(".*Tests(\\$.*)?")
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", Duration.class)
                .because("a test that sleeps is slow on a good day and wrong on a bad one")
                .check(new ClassFileImporter(List.of(TEST_SOURCES)).importPackages(ROOT));
    }

    @ArchTest
    static final ArchRule onlyTheSandboxAndLocalModeStartProcesses =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(
                            "io.countersign.check.sandbox..", "io.countersign.local")
                    .should()
                    .dependOnClassesThat()
                    .belongToAnyOf(ProcessBuilder.class)
                    .orShould()
                    .callMethodWhere(target(name("exec")).and(target(owner(type(Runtime.class)))))
                    .because(
                            "a process outside the sandbox has no time-box, no isolation and nobody"
                                    + " who kills it; local mode runs PostgreSQL's own programs");

    @ArchTest
    static final ArchRule nobodyAsksForTheTime =
            noClasses()
                    .that(areNotTheEdge())
                    .should()
                    .callMethod(Instant.class, "now")
                    .orShould()
                    .callMethod(LocalDate.class, "now")
                    .orShould()
                    .callMethod(LocalDateTime.class, "now")
                    .orShould()
                    .callMethod(OffsetDateTime.class, "now")
                    .orShould()
                    .callMethod(ZonedDateTime.class, "now")
                    .orShould()
                    .callMethod(Clock.class, "systemUTC")
                    .orShould()
                    .callMethod(Clock.class, "systemDefaultZone")
                    .orShould()
                    .callMethod(System.class, "currentTimeMillis")
                    .because("a test sets the clock that is injected; it cannot set the system's");

    @ArchTest
    static final ArchRule nobodyInventsIds =
            noClasses()
                    .that(areNotTheEdge())
                    .should()
                    .callMethod(UUID.class, "randomUUID")
                    .because(
                            "ids are UUIDv7 from kernel.Ids: they sort by time, and tests set them");

    @ArchTest
    static final ArchRule controllersArePackagePrivate =
            classes()
                    .that()
                    .areMetaAnnotatedWith(Controller.class)
                    .should()
                    .bePackagePrivate()
                    .because("HTTP is the way in for callers, not for other modules");

    @ArchTest
    static final ArchRule everyEndpointStatesItsRole =
            methods()
                    .that()
                    .areMetaAnnotatedWith(RequestMapping.class)
                    .and()
                    .areDeclaredInClassesThat()
                    .areNotAssignableTo(ErrorController.class)
                    .should()
                    .beAnnotatedWith(RolesAllowed.class)
                    .orShould()
                    .beAnnotatedWith(AnyCaller.class)
                    .orShould()
                    .beDeclaredInClassesThat(
                            annotatedWith(RolesAllowed.class).or(annotatedWith(AnyCaller.class)))
                    .because("an endpoint that forgets its role would be open to every key");

    @ArchTest
    static final ArchRule theCoreKnowsNoSpring =
            noClasses()
                    .that()
                    .resideInAnyPackage(
                            "io.countersign.dod", "io.countersign.scrub", "io.countersign.gate")
                    .and(not(simpleName("package-info")))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "org.springframework..",
                            "jakarta..",
                            "java.sql..",
                            "java.net.http..",
                            "java.nio.file..")
                    .because(
                            "dod, scrub and gate are functions from records to records: what they"
                                    + " decide must not depend on anything that is not passed in");

    @ArchTest
    static final ArchRule nobodyListensAfterTheCommit =
            noMethods()
                    .should()
                    .beAnnotatedWith(
                            "org.springframework.modulith.events.ApplicationModuleListener")
                    .orShould()
                    .beAnnotatedWith(
                            "org.springframework.transaction.event.TransactionalEventListener")
                    .because(
                            "a verdict, its attestation and its receipt are stored together or not at"
                                    + " all: listeners run inside the transaction");

    @ArchTest
    static final ArchRule dependenciesComeThroughTheConstructor =
            fields().should()
                    .notBeAnnotatedWith(Autowired.class)
                    .because("an object is complete when it is made");

    @ArchTest
    static final ArchRule settingsAreRecords =
            classes()
                    .that()
                    .areAnnotatedWith(ConfigurationProperties.class)
                    .should()
                    .beRecords()
                    .because("settings do not change after they were validated");

    @ArchTest
    static final ArchRule oneJackson =
            noClasses()
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "com.fasterxml.jackson.core..", "com.fasterxml.jackson.databind..")
                    .because("two mappers would read one body in two ways; Jackson 3 is the one");

    @ArchTest
    static final ArchRule nobodyPrints =
            noClasses()
                    .should()
                    .accessField(System.class, "out")
                    .orShould()
                    .accessField(System.class, "err")
                    .because("logs have a level, a format and the verification's id");

    @ArchTest
    static final ArchRule packagesAreNullMarked =
            classes()
                    .that(not(simpleName("package-info")))
                    .should(resideInANullMarkedPackage())
                    .because("NullAway looks only at packages that are marked");

    /** By their sources, because not every build keeps the classes of main and test apart. */
    static final class MainSources implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return isIn("src/main/java", location);
        }
    }

    private static boolean isIn(String sources, Location location) {
        String path = location.asURI().toString();
        String type = path.substring(path.lastIndexOf("/io/countersign/") + 1);
        return Files.exists(Path.of(sources, type.replaceFirst("(\\$.*)?\\.class$", ".java")));
    }

    private static DescribedPredicate<JavaClass> areNotTheEdge() {
        return not(
                simpleName("EdgeConfiguration")
                        .and(resideInAPackage("io.countersign.kernel"))
                        .as("the edge (kernel.EdgeConfiguration)"));
    }

    private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
        return new ArchCondition<>("reside in a @NullMarked package") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                events.add(
                        new SimpleConditionEvent(
                                type,
                                type.getPackage().isAnnotatedWith(NullMarked.class),
                                type.getPackageName()
                                        + " has no @NullMarked package-info.java ("
                                        + type.getSimpleName()
                                        + ")"));
            }
        };
    }
}
