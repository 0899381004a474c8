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
}
