package dev.berth.aws;

import io.github.cdklabs.cdknag.AwsSolutionsChecks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;
import software.amazon.awscdk.Aspects;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.TagProps;
import software.amazon.awscdk.Tags;
import software.amazon.awscdk.cxapi.CloudAssembly;

/** {@code ./berth synth}: writes the templates of a cloud account. */
public final class BerthCloud {
    static final String USAGE = "Usage: ./berth synth [--set NAME=VALUE]... [--sizes]";

    /** cfn-lint does not know tags of dashboards. */
    private static final TagProps UNTAGGED = TagProps.builder()
            .excludeResourceTypes(List.of("AWS::CloudWatch::Dashboard"))
            .build();

    private BerthCloud() {}

    /** Exits with 2 on invalid arguments. The first is the folder to write to. */
    static void main(String[] arguments) {
        try {
            List<String> changes = new ArrayList<>();
            for (int i = 1; i < arguments.length; i++) {
                if (arguments[i].equals("--sizes")) {
                    Arrays.stream(Size.values())
                            .forEach(size -> IO.println(
                                    "%-24s %-34s %s".formatted(size.key(), size.standard(), size.meaning())));
                    return;
                } else if (arguments[i].equals("--set") && i + 1 < arguments.length) {
                    changes.add(arguments[++i]);
                } else {
                    throw new IllegalArgumentException("'" + arguments[i] + "' is no option.");
                }
            }
            Path folder = Path.of(arguments[0]);
            synth(Sizes.of(changes), folder);
            List<String> findings = NagExceptions.findings(folder);
            findings.forEach(System.err::println);
            System.exit(findings.isEmpty() ? 0 : 1);
        } catch (IllegalArgumentException wrong) {
            System.err.println("berth: " + wrong.getMessage());
            System.err.println("       " + USAGE);
            System.exit(2);
        }
    }

    /** Writes the templates, and checks them by the rules of cdk-nag. */
    static CloudAssembly synth(Sizes sizes, Path folder) {
        App app = new App(AppProps.builder()
                .outdir(folder.toString())
                .analyticsReporting(false)
                .context(Map.of(
                        "@aws-cdk/core:validateAgainstDefaultRules",
                        true,
                        "@aws-cdk/core:defaultCrossStackReferences",
                        "strong"))
                .build());
        String name = sizes.text(Size.NAME);
        NetworkStack network = new NetworkStack(app, name + "-network", about("network"), sizes);
        DataStack data = new DataStack(app, name + "-data", about("queues, stores, keys and secrets"), sizes, network);
        ClusterStack cluster =
                new ClusterStack(app, name + "-cluster", about("hosts and the worker's task"), sizes, network, data);
        ServicesStack services = new ServicesStack(
                app, name + "-services", about("API, orchestrator and gateway"), sizes, network, data, cluster);
        new ObservabilityStack(
                app, name + "-observability", about("alarms and dashboard"), sizes, data, cluster, services);
        Tags.of(app).add("application", name, UNTAGGED);
        NagExceptions.apply(sizes, List.of(network, data, cluster, services));
        Aspects.of(app).add(new AwsSolutionsChecks());
        return app.synth();
    }

    private static StackProps about(String part) {
        return StackProps.builder().description("Berth: " + part).build();
    }
}
