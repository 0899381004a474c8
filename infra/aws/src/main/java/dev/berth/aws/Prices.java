package dev.berth.aws;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The price list {@code prices.properties}. */
final class Prices {
    private final Properties list = new Properties();

    Prices() {
        try (InputStream file = Objects.requireNonNull(Prices.class.getResourceAsStream("prices.properties"))) {
            list.load(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    String text(String name) {
        String value = list.getProperty(name);
        if (value == null) {
            throw new IllegalArgumentException("the price list has no '" + name + "'.");
        }
        return value;
    }

    double of(String name) {
        return Double.parseDouble(text(name));
    }

    /** The price of a resource that runs all month. */
    double month(String hourly) {
        return of(hourly) * of("month.hours");
    }

    /** Temporal Cloud: the plan, and each step's price for the millions beyond the step before. */
    double temporal(double millions) {
        double sum = of("temporal.plan");
        double paid = of("temporal.plan.millions");
        double price = 0;
        double from = 0;
        for (String step : text("temporal.steps").split(",", -1)) {
            double end = Double.parseDouble(step.split(":", 2)[0]);
            price = Double.parseDouble(step.split(":", 2)[1]);
            sum += Math.max(0, Math.min(millions, end) - Math.max(paid, from)) * price;
            from = end;
        }
        return sum + Math.max(0, millions - from) * price;
    }
}
