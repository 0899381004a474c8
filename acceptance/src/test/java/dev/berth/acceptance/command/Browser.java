package dev.berth.acceptance.command;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.acceptance.stack.FinishedCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.chromium.ChromiumNetworkConditions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.os.ExecutableFinder;

/** A page in a headless Chromium, driven by Selenium. */
final class Browser implements AutoCloseable {
    private static final String CHROMIUM = "chromium";
    private static final String DRIVER = "chromedriver";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final ObjectMapper json = new ObjectMapper();
    private final ChromeDriver driver;

    /** Names both programs, so that Selenium downloads none. */
    Browser() {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.SEVERE);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(path(CHROMIUM));
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        // A sandbox of its own needs rights that containers do not give; the page is the project's.
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-proxy-server",
                "--hide-scrollbars");
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(new File(path(DRIVER)))
                        .build(),
                options);
        width(1360);
    }

    private static String path(String program) {
        return Objects.requireNonNull(new ExecutableFinder().find(program), program);
    }

    /** Whether a Chromium and its driver are installed. */
    static boolean isInstalled() throws InterruptedException {
        return FinishedCommand.isInstalled(CHROMIUM) && FinishedCommand.isInstalled(DRIVER);
    }

    /** Sends a command of the DevTools protocol to the page. */
    JsonNode call(String method, Map<String, Object> parameters) {
        return json.valueToTree(driver.executeCdpCommand(method, parameters));
    }

    void width(int pixels) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", pixels, "height", 900, "deviceScaleFactor", 1, "mobile", false));
    }

    void open(String address) {
        driver.get(address);
    }

    /** The value of an expression of JavaScript, which may be a promise. */
    JsonNode value(String expression) {
        return json.valueToTree(driver.executeScript("return " + expression));
    }

    /** Waits until the expression is true. */
    void until(String expression) {
        until(expression, TIMEOUT);
    }

    void until(String expression, Duration timeout) {
        await().alias(expression)
                .atMost(timeout)
                .ignoreExceptionsInstanceOf(WebDriverException.class)
                .until(() -> value("Boolean(" + expression + ")").asBoolean());
    }

    /** Waits until the page shows a text. */
    void see(String text) throws IOException {
        until("document.body.innerText.includes(" + json.writeValueAsString(text) + ")");
    }

    /** Clicks the first visible button, link or label with this text. */
    void click(String text) {
        use(
                By.xpath("//*[self::button or self::a or self::label][normalize-space()='%s'][not(@disabled)]"
                        .formatted(text)),
                WebElement::click);
    }

    /** Types into what the selector finds. */
    void type(String selector, String text) {
        use(By.cssSelector(selector), found -> found.sendKeys(text));
    }

    /** Waits until one is visible. The page may draw it anew before its use. */
    private void use(By elements, Consumer<WebElement> action) {
        await().alias(elements.toString())
                .atMost(TIMEOUT)
                .ignoreExceptionsInstanceOf(WebDriverException.class)
                .until(() -> {
                    Optional<WebElement> first = driver.findElements(elements).stream()
                            .filter(WebElement::isDisplayed)
                            .findFirst();
                    first.ifPresent(action);
                    return first.isPresent();
                });
    }

    /** Presses keys, one after the other, where the focus is. */
    void press(CharSequence keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    void preferDark(boolean dark) {
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    void setOffline(boolean offline) {
        driver.setNetworkConditions(new ChromiumNetworkConditions().setOffline(offline));
    }

    void screenshot(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    }

    /** Uncaught exceptions, refusals by the security policy and failed requests; forgets them. */
    List<String> errors() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .toList();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
