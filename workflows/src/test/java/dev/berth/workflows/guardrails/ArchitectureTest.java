package dev.berth.workflows.guardrails;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyDependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.berth.workflows.guardrails.refused.DependsOnALogger;
import dev.berth.workflows.guardrails.refused.KeepsState;
import dev.berth.workflows.guardrails.refused.NamesAnImplementation;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Three flat rules of this module, and a class for each that it refuses. */
class ArchitectureTest {
    private static final ArchRule IMPLEMENTATIONS_STAY_AT_HOME = classes()
            .should(new ArchCondition<>("name no *Impl of another package") {
                @Override
                public void check(JavaClass user, ConditionEvents events) {
                    user.getDirectDependenciesFromSelf().stream()
                            .filter(ArchitectureTest::isForeignImplementation)
                            .forEach(use -> events.add(SimpleConditionEvent.violated(use, use.getDescription())));
                }
            });

    private static final ArchRule ONLY_TEMPORAL = classes()
            .should(onlyDependOnClassesThat(resideInAnyPackage(
                    "java..",
                    "io.temporal..",
                    // The counters of Temporal's SDK.
                    "com.uber.m3..",
                    "com.fasterxml.jackson..",
                    // Payloads, as Temporal carries them.
                    "com.google.protobuf..",
                    "org.jspecify..",
                    "dev.berth.workflows..")));

    /**
     * What a workflow remembers stands in the record that continue-as-new carries: one field of one
     * class holds it. The others here are handles of what runs in this run alone.
     */
    private static final Set<String> MUTABLE_FIELDS = Set.of(
            "Lifecycle.state",
            "CurrentOrder.state",
            "CurrentOrder.events",
            "CurrentOrder.knownEvents",
            "CurrentOrder.submission",
            "OrderRecorder.steps",
            "OrderRecorder.executions",
            "OrderRecorder.writing",
            "PoolWorkflowImpl.pool",
            "MaintenanceWorkflowImpl.view",
            "FleetUpgradeWorkflowImpl.plan",
            "ExponentialBackoff.next",
            "ExponentialBackoff.last");

    private static final ArchRule STATE_IN_ONE_RECORD = classes()
            .should(new ArchCondition<>("remember nothing outside of the workflow's record") {
                @Override
                public void check(JavaClass owner, ConditionEvents events) {
                    owner.getFields().stream()
                            .filter(field -> !field.getModifiers().contains(JavaModifier.FINAL))
                            .filter(field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC))
                            .filter(field -> !owner.getSimpleName().endsWith("Builder"))
                            .filter(field -> !MUTABLE_FIELDS.contains(owner.getSimpleName() + "." + field.getName()))
                            .forEach(field ->
                                    events.add(SimpleConditionEvent.violated(field, field.getFullName() + " changes")));
                }
            });

    private final JavaClasses main = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.berth.workflows");

    @Test
    void theModuleKeepsItsRules() {
        assertThat(main.size()).isGreaterThan(40);
        IMPLEMENTATIONS_STAY_AT_HOME.check(main);
        ONLY_TEMPORAL.check(main);
        STATE_IN_ONE_RECORD.check(main);
    }

    @Test
    void stateBesideTheRecordIsRefused() {
        JavaClasses bad = new ClassFileImporter().importClasses(KeepsState.class);
        assertThatThrownBy(() -> STATE_IN_ONE_RECORD.check(bad))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("KeepsState.attempts changes");
    }

    @Test
    void anImplementationThatIsNamedElsewhereIsRefused() {
        JavaClasses bad = new ClassFileImporter().importClasses(NamesAnImplementation.class);
        assertThatThrownBy(() -> IMPLEMENTATIONS_STAY_AT_HOME.check(bad))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("PoolWorkflowImpl");
        ONLY_TEMPORAL.check(bad);
    }

    @Test
    void anotherLibraryIsRefused() {
        JavaClasses bad = new ClassFileImporter().importClasses(DependsOnALogger.class);
        assertThatThrownBy(() -> ONLY_TEMPORAL.check(bad))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("org.slf4j.Logger");
        IMPLEMENTATIONS_STAY_AT_HOME.check(bad);
    }

    private static boolean isForeignImplementation(Dependency use) {
        JavaClass used = use.getTargetClass();
        return used.getPackageName().startsWith("dev.berth")
                && used.getSimpleName().endsWith("Impl")
                && !used.getPackageName().equals(use.getOriginClass().getPackageName());
    }
}
