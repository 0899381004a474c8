package dev.berth.aws;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awscdk.CfnParameter;
import software.amazon.awscdk.services.ecr.IRepository;
import software.amazon.awscdk.services.ecs.ContainerImage;
import software.constructs.Construct;

/** Where an image comes from. */
final class Images {
    /** The images' own user; no name, since a read-only root may have none. */
    static final String USER = "10001:10001";

    private Images() {}

    static ContainerImage of(Sizes sizes, Size uri, IRepository own) {
        String given = sizes.text(uri);
        return given.isEmpty()
                ? ContainerImage.fromEcrRepository(own, sizes.text(Size.IMAGE_TAG))
                : ContainerImage.fromRegistry(given);
    }

    /**
     * An image that others publish, by digest. When none was chosen the stack has a parameter for
     * it without a default: which one a tag names today is known only where a registry is.
     */
    static ContainerImage published(Construct stack, Sizes sizes, Size uri) {
        String given = sizes.text(uri);
        if (!given.isEmpty()) {
            return ContainerImage.fromRegistry(given);
        }
        CfnParameter image = CfnParameter.Builder.create(stack, parameter(uri))
                .type("String")
                .description(uri.meaning())
                .allowedPattern(Size.DIGEST)
                .constraintDescription("is NAME@sha256:DIGEST, as printed by"
                        + " skopeo inspect --format '{{.Name}}@{{.Digest}}' docker://NAME:TAG")
                .build();
        return ContainerImage.fromRegistry(image.getValueAsString());
    }

    /** Such as {@code PostgresClientImage}. */
    private static String parameter(Size uri) {
        return Stream.of(uri.key().split("-"))
                .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                .collect(Collectors.joining());
    }
}
