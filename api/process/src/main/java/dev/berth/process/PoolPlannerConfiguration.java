package dev.berth.process;

import dev.berth.activities.pool.CalendarFiles;
import dev.berth.activities.pool.UserArrivals;
import dev.berth.process.settings.BerthSettings;
import dev.berth.process.settings.PoolOptions;
import dev.berth.workflows.pool.ExchangeCalendar;
import dev.berth.workflows.pool.PoolPlanner;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** How many idle workers the pool keeps at which time. */
@Configuration
class PoolPlannerConfiguration {
    @Bean
    PoolPlanner poolPlanner(JdbcTemplate postgres, BerthSettings settings, InstantSource clock) {
        PoolOptions.Calendar options = settings.pool().calendar();
        List<ExchangeCalendar> calendars = options.exchanges().stream()
                .map(exchange -> CalendarFiles.read(exchange, options.folder()))
                .toList();
        return new PoolPlanner(calendars, options.rules(), new UserArrivals(postgres, clock));
    }
}
