package dev.berth.aws;

import java.util.Map;
import java.util.TreeMap;
import software.amazon.awscdk.CfnParameter;
import software.amazon.awscdk.Stack;

/** How tokens are read, as parameters of the stack: {@code docs/identity.md} has their values. */
final class TokenSettings {
    private TokenSettings() {}

    /** The variables of API and orchestrator. */
    static Map<String, String> in(Stack stack) {
        Map<String, String> variables = new TreeMap<>();
        CfnParameter issuer = CfnParameter.Builder.create(stack, "OidcIssuer")
                .type("String")
                .description("https address of the OpenID Connect provider")
                .allowedPattern("https://.+")
                .build();
        variables.put("BERTH_AUTH_ISSUER", issuer.getValueAsString());
        variables.put("BERTH_AUTH_AUDIENCE", setting(stack, "OidcAudience", "audience", "berth"));
        variables.put("BERTH_AUTH_AUDIENCE_CLAIM", setting(stack, "OidcAudienceClaim", "audience-claim", "aud"));
        variables.put("BERTH_AUTH_USER_CLAIM", setting(stack, "OidcUserClaim", "user-claim", "sub"));
        variables.put("BERTH_AUTH_SCOPE_CLAIM", setting(stack, "OidcScopeClaim", "scope-claim", "scope,scp"));
        variables.put("BERTH_AUTH_ROLES", setting(stack, "OidcRoles", "roles", ""));
        return variables;
    }

    private static String setting(Stack stack, String id, String name, String unchanged) {
        return CfnParameter.Builder.create(stack, id)
                .type("String")
                .description("berth.auth." + name)
                .defaultValue(unchanged)
                .build()
                .getValueAsString();
    }
}
