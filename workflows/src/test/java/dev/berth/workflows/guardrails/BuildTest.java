package dev.berth.workflows.guardrails;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Builds small projects whose parent is that of every module, each with one fault, and reads why
 * Maven refused them.
 */
class BuildTest {
    private static final List<String> PROJECTS =
            List.of("faultless", "null-dereference", "error-prone", "javac-warning", "unformatted", "unsorted-pom");
    private static Path folder = Path.of("");
    private static String log = "";

    @BeforeAll
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    static void build() throws IOException, InterruptedException {
        folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "guard-rails-");
        for (String name : PROJECTS) {
            String pom = name.equals("unsorted-pom") ? unsortedPom(name) : pom(name);
            write(name, "pom.xml", pom);
            write(name, "src/main/java/bad/package-info.java", """
                    @NullMarked
                    package bad;

                    import org.jspecify.annotations.NullMarked;
                    """);
            write(name, "src/main/java/bad/Example.java", source(name));
        }
        write("", "pom.xml", aggregator());
        Path out = folder.resolve("maven.log");
        List<String> command = new ArrayList<>(List.of("mvn", "--batch-mode", "--fail-at-end", "--file"));
        command.addAll(List.of(folder.toString(), "compile"));
        // The formatter may be missing, and comes from where the libraries of this build came from.
        command.add("-Dmaven.repo.local=" + System.getProperty("localRepository"));
        String settings = System.getProperty("userSettings", "");
        if (Files.isRegularFile(Path.of(settings))) {
            command.add("--settings=" + settings);
        }
        ProcessBuilder maven =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process building = maven.start();
        try {
            building.waitFor();
        } finally {
            building.destroy();
        }
        log = Files.readString(out);
    }

    @Test
    @DisplayName("what keeps all rules is built")
    void faultlessSourceIsBuilt() {
        assertThat(log).doesNotContain("on project faultless");
        assertThat(folder.resolve("faultless/target/classes/bad/Example.class")).exists();
    }

    @Test
    @DisplayName("NullAway refuses a dereference of what may be null")
    void nullAwayRefusesNullDereference() {
        assertThat(refusalOf("null-dereference")).contains("compile", "[NullAway] dereferenced expression");
    }

    @Test
    @DisplayName("Error Prone refuses an exception that is made and not thrown")
    void errorProneRefusesUnthrownException() {
        assertThat(refusalOf("error-prone")).contains("compile", "[DeadException]");
    }

    @Test
    @DisplayName("a plain warning of javac is an error")
    void javacWarningIsAnError() {
        assertThat(refusalOf("javac-warning")).contains("compile", "warnings found and -Werror specified");
        assertThat(log).contains("javac-warning/src/main/java/bad/Example.java").contains("found raw type");
    }

    @Test
    @DisplayName("a file in another format is refused")
    void unformattedFileIsRefused() {
        assertThat(refusalOf("unformatted")).contains("spotless", "format violations", "Example.java");
    }

    @Test
    @DisplayName("a POM in another order is refused")
    void unsortedPomIsRefused() {
        assertThat(refusalOf("unsorted-pom")).contains("spotless", "format violations", "pom.xml");
    }

    /** From the line that names the project to that of the next. */
    private static String refusalOf(String project) {
        Matcher refusal = Pattern.compile(
                        "Failed to execute goal \\S+ \\([^)]*\\) on project " + project
                                + ":.*?(?=Failed to execute goal|\\z)",
                        Pattern.DOTALL)
                .matcher(log);
        assertThat(refusal.find()).as(log).isTrue();
        return refusal.group();
    }

    private static String source(String project) {
        String method = switch (project) {
            case "null-dereference" -> """
                    static int length(@org.jspecify.annotations.Nullable String word) {
                            return word.length();
                        }""";
            case "error-prone" -> """
                    static void refuse() {
                            new IllegalArgumentException("never thrown");
                        }""";
            case "javac-warning" -> """
                    static int size(java.util.List words) {
                            return words.size();
                        }""";
            case "unformatted" -> """
                    static int one( ) { return 1; }""";
            default -> """
                    static int one() {
                            return 1;
                        }""";
        };
        return """
                package bad;

                final class Example {
                    private Example() {}

                    %s
                }
                """.formatted(method);
    }

    private static String aggregator() {
        String modules = String.join(
                "\n    ",
                PROJECTS.stream().map(name -> "<module>" + name + "</module>").toList());
        return project("""
                  <groupId>bad</groupId>
                  <artifactId>bad</artifactId>
                  <version>1</version>
                  <packaging>pom</packaging>

                  <modules>
                    %s
                  </modules>
                """.formatted(modules));
    }

    private static String pom(String name) throws IOException {
        return project(parent() + "\n  <artifactId>" + name + "</artifactId>\n");
    }

    private static String unsortedPom(String name) throws IOException {
        return project("  <artifactId>" + name + "</artifactId>\n\n" + parent());
    }

    /** The very lines of this module, with the way back to the root. */
    private static String parent() throws IOException {
        String ours = Files.readString(Path.of("pom.xml"));
        return ours.substring(ours.indexOf("  <parent>"), ours.indexOf("  </parent>"))
                + "    <relativePath>../../../../pom.xml</relativePath>\n  </parent>\n";
    }

    private static String project(String content) {
        return """
                <?xml version="1.0" encoding="UTF-8"?>
                <project xmlns="http://maven.apache.org/POM/4.0.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
                xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">
                  <modelVersion>4.0.0</modelVersion>

                %s</project>
                """.formatted(content);
    }

    private static void write(String project, String file, String text) throws IOException {
        Path path = folder.resolve(project).resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
