package dev.berth.process;

import io.temporal.envconfig.ClientConfigProfile;
import io.temporal.envconfig.LoadClientConfigProfileOptions;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Temporal as its standard variables ({@code TEMPORAL_ADDRESS}, {@code TEMPORAL_TLS_…}) or a
 * profile of a file say. Spring's own settings know no authority of the server's certificate.
 */
public record TemporalProfile(ClientConfigProfile profile) {
    private static final String ADDRESS = "TEMPORAL_ADDRESS";

    /**
     * Empty when no variable names a server or a profile; a profile that merely lies in the home
     * folder is not used.
     *
     * @throws UncheckedIOException when the file of the profile cannot be read
     */
    public static Optional<TemporalProfile> of(Map<String, String> environment) {
        boolean isNamed = Stream.of(ADDRESS, "TEMPORAL_PROFILE", "TEMPORAL_CONFIG_FILE")
                .anyMatch(name -> !environment.getOrDefault(name, "").isBlank());
        if (!isNamed) {
            return Optional.empty();
        }
        try {
            return Optional.of(new TemporalProfile(ClientConfigProfile.load(LoadClientConfigProfileOptions.newBuilder()
                    .setEnvOverrides(environment)
                    .build())));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("Temporal's profile (TEMPORAL_CONFIG_FILE) cannot be read", unreadable);
        }
    }

    /** Empty without an address: then Spring's setting counts. */
    public Optional<String> address() {
        return Optional.ofNullable(profile.getAddress()).filter(address -> !address.isBlank());
    }

    public boolean isEncrypted() {
        WorkflowServiceStubsOptions options = profile.toWorkflowServiceStubsOptions();
        return options.getSslContext() != null || options.getEnableHttps();
    }

    /** Address, TLS and API key of the profile, with the rest of the options. */
    WorkflowServiceStubsOptions.Builder over(WorkflowServiceStubsOptions.Builder options) {
        WorkflowServiceStubsOptions own = profile.toWorkflowServiceStubsOptions();
        address().ifPresent(options::setTarget);
        if (own.getSslContext() != null) {
            options.setSslContext(own.getSslContext());
        } else {
            options.setEnableHttps(own.getEnableHttps());
        }
        if (own.getGrpcMetadataProviders() != null) {
            own.getGrpcMetadataProviders().forEach(options::addGrpcMetadataProvider);
        }
        return options;
    }

    /** The options that every process shares, and the profile's if there is one. */
    public static WorkflowServiceStubsOptions.Builder applied(
            WorkflowServiceStubsOptions.Builder options, Map<String, String> environment) {
        return of(environment).map(profile -> profile.over(options)).orElse(options);
    }
}
