package dev.berth.workflows.guardrails;

import java.util.List;
import java.util.regex.Pattern;

/** A rule about the text of a source file that neither the compiler nor the formatter knows. */
enum SourceRule {
    /** The formatter wraps code and leaves comments alone. */
    COMMENT_WIDTH("a comment has at most 100 columns", "(?m)^(?=.{101})(?: *(?:/\\*|\\*|//)|.*\\S +// ).*$"),
    /**
     * Terms that a search for Temporal, ECS or FIX would not find, and subjects that name no one.
     * Read in documents, SQL, YAML and scripts, too.
     */
    WORDS(
            "the field has a better word",
            "(?i)\\bheld-for|(?<!\\.)\\b(?:graveyard|bur(?:y|ied|ying)\\b|stranger|insist|linger|can not\\b|nobody\\b"
                    + "|whoever\\b|somebody\\b|orderdesk|surroundings|rehears|dry.?claim|oversized|doubtful"
                    + "|\\w*(?:cutshort|putright)|leg\\b|intake\\b|isNews\\b|mark_without_|\\w+_without_mark\\b"
                    + "|(?:is|are|was|were|been?|goes) away\\b(?! from)|(?-i:(?<!question )marks?)\\b)"),
    /**
     * Before the first tag nothing runs that another build began; {@code docs/releasing.md}. The
     * marker that tells a decision after a reset from a replayed one is none of a version.
     */
    NO_VERSION_MARKERS(
            "before the first tag no workflow needs a version marker", "Workflow\\.getVersion\\((?!resetDecision)"),
    /** Machines of other countries have other digits, decimal points and names of days. */
    LOCALE(
            "a format names Locale.ROOT",
            "\\b(?:String\\.format|printf)\\((?!\\s*Locale\\.ROOT,)|\\.ofPattern\\(\"[^\"]*\"\\)"
                    + "|new DecimalFormat\\(|NumberFormat\\.get\\w+\\(\\)"),
    /** {@code formatted} takes no locale: {@code %s} writes a number as {@code toString} does. */
    FORMATTED(
            "a number is formatted by %s, or by String.format(Locale.ROOT, ...)",
            "[\\w)]\\s*\\.formatted\\(|(?<!%)%[-#+0,(]*[\\d.]*[a-zA-Z&&[^sn]]"
                    + "(?:(?:[^\"\\\\\n]|\\\\.)*\"|(?s:(?!\"\"\").)*\"\"\")\\s*(?:\\.|::)formatted\\b"),
    /**
     * A rule for scripts alone: on macOS, which the README names, bash is 3.2 and tools are BSD's.
     */
    MACOS(
            "macOS does not have it",
            "\\b(?:local|declare|typeset) -\\w*[Ang]|\\b(?:mapfile|readarray|coproc)\\b|&>>|\\|&|;&|\\bwait -n"
                    + "|\\$\\{\\w+(?:\\[[^]]*])?(?:,|\\^|@[A-Za-z])|\\[\\[ -v |printf '%\\(|\\bseq "
                    + "|\\bps [^|]*=,|\\bsed -i|\\bgrep -\\w*P|\\bstat -c|\\bdate -d|\\bxargs -r|-printf|base64 -w");

    private final String says;
    private final Pattern refused;

    SourceRule(String says, String refused) {
        this.says = says;
        this.refused = Pattern.compile(refused);
    }

    /** What this rule refuses in the text, as {@code file:line: rule: text}. */
    List<String> violations(String file, String text) {
        return refused.matcher(text)
                .results()
                .map(found -> file + ":" + lineOf(text, found.start()) + ": " + says + ": "
                        + found.group().strip())
                .toList();
    }

    private static long lineOf(String text, int position) {
        return text.substring(0, position)
                        .chars()
                        .filter(character -> character == '\n')
                        .count()
                + 1;
    }
}
