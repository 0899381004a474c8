package dev.berth.workflows.guardrails;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyDependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
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
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Map;
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

    /** The one record of each workflow, which continue-as-new carries. */
    private static final Set<String> RECORDS = Set.of(
            "Lifecycle.state",
            "CurrentOrder.state",
            "PoolWorkflowImpl.pool",
            "FleetUpgradeWorkflowImpl.plan",
            "FleetMassCancelWorkflowImpl.report");

    /**
     * What no new run needs: it begins when no submission is under way and every step is written,
     * and asks for the executions that it misses. A late report and a user's mass cancel have one
     * run.
     */
    private static final Set<String> OF_ONE_RUN = Set.of(
            "CurrentOrder.submission",
            "OrderRecorder.backlog",
            "MissingExecutions.reported",
            "LateReportWorkflowImpl.reports",
            "MassCancelWorkflowImpl.report");

    private static final ArchRule STATE_IN_ONE_RECORD = classes()
            .that()
            .areNotRecords()
            .should(new ArchCondition<>("remember nothing outside of the workflow's record") {
                @Override
                public void check(JavaClass owner, ConditionEvents events) {
                    owner.getAllFields().stream()
                            .filter(field -> field.getOwner().getPackageName().startsWith("dev.berth"))
                            .filter(ArchitectureTest::mayChange)
                            .filter(field -> !RECORDS.contains(nameOf(field)) && !OF_ONE_RUN.contains(nameOf(field)))
                            .forEach(field ->
                                    events.add(SimpleConditionEvent.violated(field, field.getFullName() + " changes")));
                }
            });

    private static String nameOf(JavaField field) {
        return field.getOwner().getSimpleName() + "." + field.getName();
    }

    private static boolean mayChange(JavaField field) {
        return !field.getModifiers().contains(JavaModifier.FINAL)
                || (!field.getModifiers().contains(JavaModifier.STATIC)
                        && (field.getRawType().isAssignableTo(Collection.class)
                                || field.getRawType().isAssignableTo(Map.class)
                                || field.getRawType().isArray()
                                || field.getRawType().getPackageName().equals("java.util.concurrent.atomic")));
    }

    /** The classes of a workflow's object, and of all that its fields hold. */
    private static JavaClasses heldByWorkflows(JavaClasses all) {
        Set<JavaClass> held = new LinkedHashSet<>();
        Deque<JavaClass> next = new ArrayDeque<>();
        all.stream()
                .filter(type -> type.getSimpleName().endsWith("WorkflowImpl"))
                .forEach(next::add);
        while (!next.isEmpty()) {
            JavaClass type = next.remove();
            if (type.getPackageName().startsWith("dev.berth.workflows") && held.add(type)) {
                type.getAllFields().forEach(field -> next.addAll(field.getAllInvolvedRawTypes()));
            }
        }
        return all.that(new DescribedPredicate<>("are held by a workflow") {
            @Override
            public boolean test(JavaClass type) {
                return held.contains(type);
            }
        });
    }

    private final JavaClasses main = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.berth.workflows");

    @Test
    void theModuleKeepsItsRules() {
        assertThat(main.size()).isGreaterThan(40);
        IMPLEMENTATIONS_STAY_AT_HOME.check(main);
        ONLY_TEMPORAL.check(main);
    }

    @Test
    void aWorkflowHoldsOneRecord() {
        JavaClasses held = heldByWorkflows(main);
        assertThat(held).extracting(JavaClass::getSimpleName).contains("Lifecycle", "WorkerHealth", "OrderRecorder");
        STATE_IN_ONE_RECORD.check(held);
        assertThat(held.stream().flatMap(type -> type.getFields().stream()).map(ArchitectureTest::nameOf))
                .containsAll(RECORDS)
                .containsAll(OF_ONE_RUN);
    }

    @Test
    void stateBesideTheRecordIsRefused() {
        JavaClasses bad = new ClassFileImporter().importClasses(KeepsState.class);
        assertThatThrownBy(() -> STATE_IN_ONE_RECORD.check(bad))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("KeepsState.attempts changes")
                .hasMessageContaining("KeepsState.seen changes")
                .hasMessageContaining("KeepsState.counts changes")
                .hasMessageContaining("KeepsState.last changes");
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
