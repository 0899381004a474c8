package dev.berth.aws;

import software.amazon.awscdk.services.ecr.IRepository;
import software.amazon.awscdk.services.ecs.ContainerImage;

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
     * An image that others publish.
     *
     * @throws IllegalArgumentException when none was chosen: which one a tag names today is known
     *     only where a registry is
     */
    static ContainerImage published(Sizes sizes, Size uri) {
        String given = sizes.text(uri);
        if (given.isEmpty()) {
            throw new IllegalArgumentException("set " + uri.key() + " to NAME@sha256:DIGEST (" + uri.meaning()
                    + "). skopeo inspect --format '{{.Name}}@{{.Digest}}' docker://NAME:TAG prints it.");
        }
        return ContainerImage.fromRegistry(given);
    }
}
