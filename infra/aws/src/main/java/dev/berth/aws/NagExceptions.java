package dev.berth.aws;

import io.github.cdklabs.cdknag.NagPackSuppression;
import io.github.cdklabs.cdknag.NagSuppressions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import software.amazon.awscdk.Stack;

/** Findings of cdk-nag that are accepted, each with its reason. */
final class NagExceptions {
    private static final String REGION = "<AWS::Region>:<AWS::AccountId>";

    /**
     * An accepted finding.
     *
     * @param findings what exactly; empty for the whole rule
     */
    record AcceptedFinding(String rule, List<String> findings, String reason) {
        NagPackSuppression suppression() {
            NagPackSuppression.Builder suppression =
                    NagPackSuppression.builder().id("AwsSolutions-" + rule).reason(reason);
            if (!findings.isEmpty()) {
                suppression.appliesTo(findings);
            }
            return suppression.build();
        }
    }

    private NagExceptions() {}

    static List<AcceptedFinding> of(Sizes sizes) {
        String name = sizes.text(Size.NAME);
        String ecs = "Resource::arn:<AWS::Partition>:ecs:" + REGION + ":";
        return List.of(
                new AcceptedFinding("EC23", List.of(), "The API is for clients on the internet, by HTTPS alone."),
                new AcceptedFinding(
                        "ELB2",
                        List.of(),
                        "The API logs its requests and audits its changes. A bucket for access logs needs the account of"
                                + " the region's load balancers, which a template for every region does not know."),
                new AcceptedFinding(
                        "AS3", List.of(), "ECS scales the groups; alarms tell when a group is full or a host missing."),
                new AcceptedFinding(
                        "IAM4",
                        List.of("Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/"
                                + "AmazonEC2ContainerServiceforEC2Role"),
                        "The agent of ECS needs what AWS publishes for it; containers cannot reach the host's role."),
                new AcceptedFinding(
                        "IAM5",
                        List.of("Action::ecs:Submit*"),
                        "The agent's own permissions, as the CDK writes them for this cluster."),
                new AcceptedFinding(
                        "IAM5",
                        List.of("Resource::*"),
                        "ecr:GetAuthorizationToken, ecs:DescribeTaskDefinition and the agent's calls know no resources;"
                                + " ecs:ListTasks is bound to the cluster by a condition."),
                new AcceptedFinding(
                        "IAM5",
                        List.of("Resource::arn:<AWS::Partition>:logs:" + REGION + ":log-group:/" + name + "/*"),
                        "Streams are named after tasks, which do not exist yet."),
                new AcceptedFinding(
                        "IAM5",
                        Stream.concat(
                                        Stream.of(
                                                ecs + "task/" + name + "/*", ecs + "container-instance/" + name + "/*"),
                                        sizes.userGroups().stream()
                                                .map(group -> Names.of(group, Names.ECS.taskDefinition()))
                                                .map(family -> ecs + "task-definition/" + sizes.own(family) + ":*"))
                                .toList(),
                        "Each release has a revision of its own, tasks and hosts come and go; the cluster is fixed."),
                new AcceptedFinding(
                        "SMG4",
                        List.of(),
                        "Changed by an operator, as docs/cloud.md says: the application has to be told at the same time."),
                new AcceptedFinding(
                        "AEC6",
                        List.of(),
                        "Users with passwords and rights of their own instead of one token for all."),
                new AcceptedFinding(
                        "ECS2", List.of(), "The variables are addresses and sizes; secrets come from the store."));
    }

    static void apply(Sizes sizes, List<? extends Stack> stacks) {
        List<NagPackSuppression> suppressions =
                of(sizes).stream().map(AcceptedFinding::suppression).toList();
        stacks.forEach(stack -> NagSuppressions.addStackSuppressions(stack, suppressions));
    }

    /** What the reports of a synthesis name, and no exception accepts. */
    static List<String> findings(Path folder) {
        List<String> findings = new ArrayList<>();
        try (DirectoryStream<Path> reports = Files.newDirectoryStream(folder, "*-NagReport.csv")) {
            for (Path report : reports) {
                Files.readAllLines(report).stream()
                        .filter(line -> line.contains("\"Non-Compliant\""))
                        .forEach(findings::add);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return findings;
    }
}
