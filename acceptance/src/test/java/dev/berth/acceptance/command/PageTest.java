package dev.berth.acceptance.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.acceptance.rest.FleetOperator;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Eventually;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.Venue;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The page at {@code /}, in a real browser. */
@ExtendWith(StackExtension.class)
class PageTest {
    private static final Logger LOG = LoggerFactory.getLogger(PageTest.class);
    private static final Path PICTURES = Path.of("target/pictures");

    private final Stack stack;
    private final FleetOperator operator;
    private final Venue venue;
    private final Trader trader;
    private final String page;
    private Browser browser;

    PageTest(Stack stack) throws Exception {
        this.stack = stack;
        this.operator = FleetOperator.of(stack);
        this.venue = Venue.of(stack);
        this.trader = stack.trader("page-paula");
        this.page = stack.api().base() + "/";
    }

    @BeforeEach
    void openBrowser() throws Exception {
        assumeTrue(Browser.isInstalled(), "no Chromium with its driver: apt-get install chromium chromium-driver");
        browser = new Browser();
    }

    @AfterEach
    void close() throws Exception {
        if (browser != null) {
            browser.close();
            venue.reset();
            operator.killSwitch("user:page-paula", false);
        }
    }

    private void signIn(String token, String expected) throws IOException {
        browser.open(page);
        browser.type("textarea[name=token]", token);
        browser.press(Keys.ENTER);
        browser.see(expected);
    }

    private String tabs() {
        return browser.value("[...document.querySelectorAll('nav a')].map(one => one.textContent).join()")
                .asText();
    }

    @Test
    @Tag("X26")
    @DisplayName("The token's scope decides what the page shows; without a valid token it shows a sign-in, and the"
            + " security policy permits nothing from elsewhere")
    void tokenScopeDecidesWhatPageShows() throws Exception {
        HttpHeaders headers = stack.api().call("GET", "/", null).raw().headers();
        assertThat(headers.firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
        String tag = headers.firstValue("ETag").orElseThrow();
        assertThat(stack.api().call("GET", "/", null, "If-None-Match", tag).status())
                .isEqualTo(304);
        assertThat(stack.api().call("GET", "/page/session.js", null).status()).isEqualTo(200);
        assertThat(stack.api().call("GET", "/page/application.yml", null).status())
                .isEqualTo(404);

        browser.open(page);
        browser.type("textarea[name=token]", "no token");
        browser.click("Sign in");
        browser.see("This is no token, or it has expired.");
        signIn(new Tokens(stack).sign("olga", "fleet:read"), "One worker for each active user");
        assertThat(tabs()).startsWith("Fleet,Orders,Attention").endsWith("Kill switch");
        browser.click("Kill switch");
        browser.see("Orders are stopped before they are sent");
        assertThat(browser.value("document.body.innerText.includes('Stop orders')")
                        .asBoolean())
                .as("fleet:read alone may not stop orders")
                .isFalse();
        browser.click("Sign out");
        browser.see("Sign in");
        signIn(trader.token(), "My orders");
        assertThat(tabs()).isEqualTo("Orders,Account,My worker");
        assertThat(browser.value("JSON.stringify(localStorage)").asText()).doesNotContain(trader.token());
        browser.click("Sign out");
        browser.see("Sign in");
        signIn(new Tokens(stack).sign("auth0|jane", "orders:read"), "My orders");
        assertThat(browser.value("document.querySelector('.name').textContent").asText())
                .as("the user of a subject")
                .startsWith("u-");
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    @Tag("long")
    @Tag("X26")
    @DisplayName(
            "An operator sees an order appear, stops a user's orders after a second look, and requeues the one that"
                    + " failed")
    void operatorStopsAndRequeues() throws Exception {
        Eventually.trading(stack, "page-paula");
        signIn(new Tokens(stack).sign("olga", "fleet"), "One worker for each active user");
        browser.see("page-paula");
        // Both keys within 1.5 s by the page's clock.
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            browser.press("go");
            return browser.value("location.hash === '#/orders'").asBoolean();
        });
        browser.see("As they happen, newest first");
        browser.until("document.querySelector('.live').dataset.state === 'on'");
        trader.submit(OrderBody.market("page-appears", "AAPL", "buy", "1").json());
        browser.see("page-appears");

        browser.click("Kill switch");
        browser.click("one user");
        browser.type("input[name=which]", "page-paula");
        browser.click("Stop orders…");
        browser.see("No order of user page-paula is sent until the switch is off.");
        String confirm = "document.querySelector('dialog button.danger').disabled";
        assertThat(browser.value(confirm).asBoolean())
                .as("before the second look")
                .isTrue();
        browser.type("dialog input[name=reason]", "a look at the page");
        browser.type("dialog input[name=word]", "page-paula");
        browser.screenshot(PICTURES.resolve("second-look.png"));
        // A worker gives the first up after 15 s, and then sends the second.
        venue.hold(trader, "page-in-hand");
        trader.submit(OrderBody.market("page-stopped", "AAPL", "buy", "1")
                .within(Duration.ofMinutes(10))
                .json());
        browser.click("Stop orders");
        browser.see("a look at the page · olga");
        browser.until("document.querySelector('.switch .chip').textContent === 'ON'");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> trader.submit(OrderBody.market("page-refused", "AAPL", "buy", "1")
                                        .json())
                                .status()
                        >= 400);
        venue.reset();
        Eventually.order(trader, "page-stopped", "FAILED", Duration.ofSeconds(60));
        browser.click("Turn off…");
        browser.type("dialog input[name=reason]", "seen");
        browser.click("Let orders go on");
        browser.until("document.querySelector('.switch .chip').textContent === 'off'");

        browser.value("location.hash = '#/attention'");
        browser.see("risk: kill-switch");
        String box = "document.querySelector('input[aria-label=\"Choose page-paula:page-stopped\"]')";
        browser.until(box);
        // The workflow of the order may end a moment after its status.
        await().atMost(Duration.ofSeconds(40)).until(() -> {
            browser.value("window.dispatchEvent(new HashChangeEvent('hashchange'))");
            browser.until(box);
            return !browser.value(box + ".disabled").asBoolean();
        });
        browser.value(box + ".click()");
        browser.click("Requeue 1…");
        browser.see("Requeue 1 order?");
        browser.type("dialog input[name=reason]", "the switch was a test");
        browser.click("Requeue");
        Eventually.order(trader, "page-stopped", "FILLED", Duration.ofSeconds(60));

        browser.value("location.hash = '#/order/page-paula/page-stopped'");
        browser.see("Requeued by olga");
        browser.until("document.querySelectorAll('.story li').length > 2");
        assertThat(browser.value(
                                "[...document.querySelectorAll('a')].find(one => one.textContent === 'Temporal ↗').href")
                        .asText())
                .startsWith(stack.webUi())
                .endsWith("order%3Apage-paula%3Apage-stopped");
        browser.screenshot(PICTURES.resolve("order-story.png"));
        browser.click("Worker of page-paula");
        browser.see("Last decision");
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    @Tag("long")
    @Tag("X26")
    @DisplayName("Ten thousand workers and fifty orders a second stay readable and quick, light and dark, and leave"
            + " nothing behind")
    void largeFleetStaysQuick() throws Exception {
        String mock = new String(
                Objects.requireNonNull(PageTest.class.getResourceAsStream("/large-fleet.js"))
                        .readAllBytes(),
                StandardCharsets.UTF_8);
        browser.call("Page.addScriptToEvaluateOnNewDocument", Map.of("source", mock));
        signIn(new Tokens(stack).sign("olga", "fleet"), "One worker for each active user");
        browser.see("9,140");
        browser.until("document.querySelectorAll('canvas').length >= 8");
        browser.screenshot(PICTURES.resolve("large-fleet-light.png"));
        long drawn = browser.value("Math.min(...[1, 2, 3].map(() => { const from = performance.now();"
                        + " window.dispatchEvent(new Event('berth-theme')); return performance.now() - from; }))")
                .asLong();
        assertThat(drawn).as("milliseconds of the quickest of three drawings").isLessThan(500);
        browser.preferDark(true);
        browser.until("document.documentElement.dataset.theme === 'dark'");
        browser.screenshot(PICTURES.resolve("large-fleet-dark.png"));
        assertThat(leastContrast()).as("dark").isGreaterThan(4.5);
        browser.preferDark(false);
        browser.until("document.documentElement.dataset.theme === 'light'");
        assertThat(leastContrast()).as("light").isGreaterThan(4.5);
        double before = mainThreadMillis();
        browser.value("window.dispatchEvent(new Event('berth-theme'))");
        double drawing = mainThreadMillis() - before;
        before = mainThreadMillis();
        browser.type("input[type=search]", "user-04242");
        browser.until("document.querySelectorAll('tbody tr').length === 1");
        double typing = mainThreadMillis() - before;
        LOG.warn("main thread: a drawing of the fleet {} ms, a search {} ms", drawing, typing);
        assertThat(typing).as("processor time of a search").isLessThan(12 * drawing);
        browser.press(Keys.ENTER);
        browser.until("location.hash === '#/worker/user-04242'");

        browser.value("location.hash = '#/orders'");
        browser.until("window.sentOrders > 600");
        long heap = heapAfterCollection();
        browser.until("window.sentOrders > 3000", Duration.ofMinutes(2));
        assertThat(browser.value("document.querySelectorAll('*').length").asLong())
                .isLessThan(3_000);
        browser.screenshot(PICTURES.resolve("busy-orders.png"));
        // The page draws on between a collection and the reading.
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(heapAfterCollection() - heap)
                        .as("bytes kept of 2,400 more orders")
                        .isLessThan(3_000_000));
    }

    @Test
    @Tag("X26")
    @DisplayName(
            "Without the API the page says so and goes on when it is back; without data it says what would be there")
    void pageSaysWhatIsMissing() throws Exception {
        signIn(stack.trader("page-newcomer").token(), "My orders");
        browser.see("They appear here as they are submitted.");
        browser.setOffline(true);
        browser.see("The API does not answer. Trying again…");
        browser.setOffline(false);
        browser.until("document.getElementById('notice').hidden");
        browser.until("document.querySelector('.live').dataset.state === 'on'");
    }

    /** Processor time, which other processes do not lengthen. */
    private double mainThreadMillis() {
        browser.call("Performance.enable", Map.of("timeDomain", "threadTicks"));
        for (JsonNode metric : browser.call("Performance.getMetrics", Map.of()).get("metrics")) {
            if (metric.get("name").asText().equals("TaskDuration")) {
                return metric.get("value").asDouble() * 1_000;
            }
        }
        throw new AssertionError("no TaskDuration");
    }

    private long heapAfterCollection() {
        browser.call("HeapProfiler.collectGarbage", Map.of());
        return browser.call("Runtime.getHeapUsage", Map.of()).path("usedSize").asLong();
    }

    /** The lowest contrast of all texts on their backgrounds, by the formula of WCAG 2. */
    private double leastContrast() {
        return browser.value("""
                (() => {
                  const style = getComputedStyle(document.documentElement);
                  const light = (name) => {
                    const hex = style.getPropertyValue('--' + name).trim();
                    const wide = hex.length === 4 ? [...hex.slice(1)].map((one) => one + one).join('') : hex.slice(1);
                    const [red, green, blue] = [0, 2, 4].map((at) => parseInt(wide.slice(at, at + 2), 16) / 255)
                      .map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
                    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
                  };
                  const contrast = (one, other) => {
                    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
                    return (bright + 0.05) / (dark + 0.05);
                  };
                  return Math.min(...[['text', 'bg'], ['text', 'surface'], ['muted', 'bg'], ['muted', 'surface'],
                    ['accent', 'surface'], ['danger', 'danger-soft'], ['warn', 'warn-soft'], ['ok', 'ok-soft'],
                    ['info', 'info-soft'], ['violet', 'violet-soft']].map((pair) => contrast(...pair)));
                })()""").asDouble();
    }
}
