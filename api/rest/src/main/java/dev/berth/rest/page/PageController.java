package dev.berth.rest.page;

import dev.berth.process.settings.BerthSettings;
import dev.berth.workflows.Hashes;
import io.swagger.v3.oas.annotations.Hidden;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Serves the files of the page, which hold no data: the page asks REST with the token of its
 * reader.
 */
@RestController
@Hidden
class PageController {
    /** Nothing inline, nothing from elsewhere, and no other site may frame the page. */
    static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " connect-src 'self'; img-src 'self'; manifest-src 'none'; base-uri 'none'; form-action 'none';"
            + " frame-ancestors 'none'; require-trusted-types-for 'script'";

    private static final Map<String, MediaType> FILES = Map.ofEntries(
            Map.entry("index.html", MediaType.TEXT_HTML),
            Map.entry("page.css", new MediaType("text", "css")),
            Map.entry("icon.svg", new MediaType("image", "svg+xml")),
            script("app.js"),
            script("dom.js"),
            script("session.js"),
            script("stream.js"),
            script("dialogs.js"),
            script("fleet.js"),
            script("fleet-map.js"),
            script("orders.js"),
            script("order.js"),
            script("account.js"),
            script("worker.js"),
            script("attention.js"),
            script("switches.js"));

    /** A change of the page is seen at the next load; an unchanged file is not sent again. */
    private static final CacheControl REVALIDATED =
            CacheControl.maxAge(Duration.ZERO).cachePrivate().mustRevalidate();

    private record PageFile(MediaType type, String content, String tag) {}

    private final Map<String, PageFile> files =
            FILES.keySet().stream().collect(Collectors.toUnmodifiableMap(name -> name, PageController::read));
    private final Settings settings;

    PageController(BerthSettings settings) {
        this.settings = new Settings(settings.page().temporalUi());
    }

    /**
     * What the page knows before anybody signs in.
     *
     * @param temporalUi the address of the list of workflows in Temporal's Web UI; absent if
     *     unknown
     */
    record Settings(@Nullable String temporalUi) {}

    private static Map.Entry<String, MediaType> script(String name) {
        return Map.entry(name, new MediaType("text", "javascript"));
    }

    private static PageFile read(String name) {
        try (InputStream file = PageController.class.getResourceAsStream("/page/" + name)) {
            String content = new String(Objects.requireNonNull(file, name).readAllBytes(), StandardCharsets.UTF_8);
            String hash = Hashes.sha256(content);
            MediaType type = new MediaType(Objects.requireNonNull(FILES.get(name)), StandardCharsets.UTF_8);
            return new PageFile(type, content, "\"" + hash.substring(0, 16) + "\"");
        } catch (IOException unreadable) {
            throw new IllegalStateException("The page has no " + name, unreadable);
        }
    }

    @GetMapping("/")
    ResponseEntity<String> index() {
        return file("index.html");
    }

    @GetMapping("/page/{name}")
    ResponseEntity<String> file(@PathVariable String name) {
        PageFile file = files.get(name);
        return file == null
                ? ResponseEntity.notFound().build()
                : ResponseEntity.ok()
                        .contentType(file.type())
                        .cacheControl(REVALIDATED)
                        .eTag(file.tag())
                        .header("Content-Security-Policy", CONTENT_SECURITY_POLICY)
                        .header("Referrer-Policy", "no-referrer")
                        .header(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
                        .body(file.content());
    }

    @GetMapping("/page/settings.json")
    Settings settings() {
        return settings;
    }
}
