package dev.berth.workflows.guardrails;

import dev.berth.workflows.guardrails.TaggedTests.TaggedTest;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What Surefire wrote about the tests that ran. */
final class TestResults {
    /** A method, without its parameters and the number of its run. */
    private static final Pattern METHOD = Pattern.compile("^\\w*");
    /** A class, without its package, the number of its run and the suffix of the report. */
    private static final Pattern TYPE = Pattern.compile("(\\w+)(?:\\[\\d+])?(?:\\(\\w+\\))?$");

    enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }

    /**
     * One run of a test method.
     *
     * @param method empty when the class did not run
     * @param reason why it was skipped; else empty
     */
    record TestResult(String type, String method, Outcome outcome, String reason) {
        boolean isOf(TaggedTest test) {
            return type.equals(test.type()) && (method.isEmpty() || method.equals(test.method()));
        }
    }

    private TestResults() {}

    /** Those of a module; none when its tests did not run. */
    static List<TestResult> of(Path module) throws IOException {
        Path reports = module.resolve("target/surefire-reports");
        List<TestResult> results = new ArrayList<>();
        if (Files.isDirectory(reports)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(reports, "TEST-*.xml")) {
                for (Path file : files) {
                    results.addAll(in(file));
                }
            }
        }
        return results;
    }

    /** The test classes of a module whose tests did not run, as skipped. */
    static List<TestResult> leftOut(Path module, Collection<Path> sources) {
        return sources.stream()
                .filter(source -> source.startsWith(module.resolve("src/test")))
                .map(source -> source.getFileName().toString().replace(".java", ""))
                .filter(type -> type.endsWith("Test"))
                .map(type -> new TestResult(type, "", Outcome.SKIPPED, "the tests of " + module + " did not run"))
                .toList();
    }

    private static List<TestResult> in(Path report) throws IOException {
        NodeList cases;
        try {
            cases = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getElementsByTagName("testcase");
        } catch (ParserConfigurationException | SAXException unreadable) {
            throw new IOException("not a report of tests: " + report, unreadable);
        }
        List<TestResult> results = new ArrayList<>();
        for (int number = 0; number < cases.getLength(); number++) {
            results.add(result((Element) cases.item(number)));
        }
        return results;
    }

    private static TestResult result(Element testCase) {
        Matcher type = TYPE.matcher(testCase.getAttribute("classname"));
        Matcher method = METHOD.matcher(testCase.getAttribute("name"));
        NodeList skipped = testCase.getElementsByTagName("skipped");
        Outcome outcome = Outcome.PASSED;
        String reason = "";
        if (skipped.getLength() > 0) {
            outcome = Outcome.SKIPPED;
            reason = ((Element) skipped.item(0)).getAttribute("message");
        } else if (testCase.getElementsByTagName("failure").getLength() > 0
                || testCase.getElementsByTagName("error").getLength() > 0) {
            outcome = Outcome.FAILED;
        }
        return new TestResult(type.find() ? type.group(1) : "", method.find() ? method.group() : "", outcome, reason);
    }
}
