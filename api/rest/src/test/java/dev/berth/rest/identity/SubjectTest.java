package dev.berth.rest.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workflows.UserId;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("T8")
class SubjectTest {
    private static final String ISSUER = "https://login.example";

    private static String user(String issuer, String name) {
        return new Subject(issuer, name).userId().orElseThrow().value();
    }

    /** Computed by another program. Orders, accounts and workers belong to these ids. */
    @ParameterizedTest
    @DisplayName("A subject that is no user id has the user id that it always had")
    @CsvSource({
        "https://tenant.eu.auth0.com/, auth0|507f1f77bcf86cd799439011,"
                + " u-x65iqi2yjjissgzafy2644yb6ldf56qbtotke4pidlr7mriv2ljq",
        "https://tenant.okta.com/oauth2/default, 00u1a2b3C4D5e6F7g8h9,"
                + " u-6kc6bt3td3z4imm2stbydhzgut5sim25znmxamuut6b7otruingq",
        "https://tenant.okta.com/oauth2/default, jane.doe@example.com,"
                + " u-z7k72sunolee4oqaj2itjcdxz3v7wirxls7muxgzq66255oky5gq",
        "berth-local, jane.doe@example.com, u-5maifqimircjp7fpgasnprgjzfesjrfisnoqwme4qpmftpchwwqa",
        "berth-local, Jane_Doe, u-uz6ifbriguu4mouj4fockp6vmja732qb4b7hadnj3wwjd5qnykoa",
        "berth-local, 名前, u-3xwyyxyhtrj3x5twlmcqoakjlr57fvebrekcxqbn5fydroz674ca",
        "berth-local, alice-control, u-bjz22d3loilaeq67yz2zp4sson54e7p4mnbnjqdjtab736chgt3q",
        "berth-local, -1, u-w3yrotnyvqbu22qkjwesvarls2rgnwseziyneqzhwihzwizjlyeq",
        "berth-local, u-1, u-hxeq5v5xjzku6b7d2wwwumzqset3hmcbwh3u6rhqfyv6xz7h72tq"
    })
    void hashedUserIdNeverChanges(String issuer, String name, String userId) {
        assertThat(user(issuer, name)).isEqualTo(userId).hasSize(54);
    }

    @ParameterizedTest
    @DisplayName("A subject that is a user id is that user")
    @ValueSource(strings = {"alice", "0", "u", "un-1", "6b1b36cb-c4a9-4c5c-9a43-0b1f3a5d2e11"})
    void userIdStands(String name) {
        assertThat(user(ISSUER, name)).isEqualTo(name);
    }

    @ParameterizedTest
    @Tag("X32")
    @DisplayName("No subject is a user whom Berth itself uses")
    @ValueSource(strings = {"fleet", "warm-up-0123456789abcdef0123456789abcdef", "warm-up-", "warm-up-X"})
    void reservedNameIsNoUser(String name) {
        assertThat(new Subject(ISSUER, name).userId()).isEmpty();
    }

    @Test
    @DisplayName("No two subjects are one user, whatever they have in common, and no subject is the user of a hash")
    void subjectsNeverMeet() {
        Map<String, List<String>> subjects = new HashMap<>();
        for (String issuer : List.of(ISSUER, ISSUER + "/", "https://login.exampl", "berth-local", "")) {
            for (String name : names()) {
                if (Subject.isName(name)) {
                    String userId = user(issuer, name);
                    // A user id is the same user, whichever issuer names it.
                    List<String> subject = userId.equals(name) ? List.of(name) : List.of(issuer, name);
                    assertThat(subjects.putIfAbsent(userId, subject)).isIn(null, subject);
                    assertThat(UserId.parse(userId)).isPresent();
                    assertThat(user(issuer, userId).equals(userId)).isEqualTo(userId.equals(name));
                }
            }
        }
        assertThat(subjects).hasSizeGreaterThan(10_000);
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>();
        Random random = new Random(20_261_127);
        String letters = "aAbBzZ09-_.|@:/\\ \t\0\nßıİéñ名\uD83D\uDE00\u0301\u200B";
        for (int number = 0; number < 2_000; number++) {
            StringBuilder name = new StringBuilder();
            for (int length = 1 + random.nextInt(70); length > 0; length--) {
                name.append(letters.charAt(random.nextInt(letters.length())));
            }
            String plain = name.toString();
            names.addAll(List.of(
                    plain,
                    plain.toUpperCase(Locale.ROOT),
                    plain.toLowerCase(Locale.ROOT),
                    Normalizer.normalize(plain, Normalizer.Form.NFKC),
                    " " + plain,
                    "u-" + plain,
                    "u-" + number,
                    "user-" + number,
                    "e\0" + plain));
        }
        return names;
    }

    @ParameterizedTest
    @DisplayName("A subject is not blank, at most 255 characters long, and Unicode")
    @ValueSource(strings = {"", " \t", "\uD83D", "a\uDE00b"})
    void notEveryTextIsName(String text) {
        assertThat(Subject.isName("a".repeat(255))).isTrue();
        assertThat(Subject.isName("a".repeat(256))).isFalse();
        assertThatThrownBy(() -> new Subject(ISSUER, text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 255 characters");
    }

    @Test
    void issuerContainsNoSeparator() {
        assertThatThrownBy(() -> new Subject("a\0b", "alice")).hasMessageContaining("NUL");
    }
}
