package dev.berth.rest.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("T8")
class RoleScopesTest {
    private static final RoleScopes NONE = new RoleScopes("");

    @Test
    @DisplayName("Without roles the words of a token are its scopes, and other words grant nothing")
    void wordsAreScopes() {
        assertThat(NONE.granted("openid orders:read  fleet ORDERS:TRADE")).containsExactly("orders:read", "fleet");
        assertThat(NONE.granted(List.of("risk:write", "orders:trade orders:read", 7)))
                .containsExactly("risk:write");
        assertThat(NONE.granted(Map.of("orders:read", true))).isEmpty();
        assertThat(NONE.granted("")).isEmpty();
    }

    @Test
    @DisplayName("With roles a word grants what its role has, and a scope itself grants nothing")
    void rolesGrantScopes() {
        RoleScopes roles = new RoleScopes("""
                Trader=orders:read orders:trade; https://api.example.com/orders:read=orders:read
                CN=Desk 7,OU=groups,DC=example=fleet ; a=b=codec:read;;""");
        assertThat(roles.granted(List.of("Trader", "trader"))).containsExactly("orders:read", "orders:trade");
        assertThat(roles.granted("openid https://api.example.com/orders:read")).containsExactly("orders:read");
        assertThat(roles.granted(List.of("CN=Desk 7,OU=groups,DC=example", "a=b")))
                .containsExactly("fleet", "codec:read");
        assertThat(roles.granted("CN=Desk 7,OU=groups,DC=example")).containsExactly("fleet");
        assertThat(roles.granted("orders:read orders:trade fleet CN=Desk 7")).isEmpty();
    }

    @ParameterizedTest
    @DisplayName("Roles that cannot be read are refused, and the sentence names the setting")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "trader=orders:raed | 'trader' is given 'orders:raed'",
                "trader | 'trader' is not a role",
                "trader= | 'trader=' is not a role",
                "=orders:read | '=orders:read' is not a role",
                "trader=orders:read, fleet | 'trader' is given 'orders:read,'",
                "trader=orders:read; ops=fleet orders | 'ops' is given 'orders'",
                "a=fleet;a=remote | 'a' stands twice"
            })
    void unreadableRolesAreRefused(String text, String mentioned) {
        assertThatThrownBy(() -> new RoleScopes(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("berth.auth.roles")
                .hasMessageContaining(mentioned);
    }
}
