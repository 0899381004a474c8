package dev.berth.local.ecs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class SeccompProfileTest {
    private static final String PROFILE = """
            {"defaultAction":"SCMP_ACT_ERRNO","defaultErrnoRet":38,
            "archMap":[{"architecture":"SCMP_ARCH_X86_64","subArchitectures":["SCMP_ARCH_X86"]},
                       {"architecture":"SCMP_ARCH_AARCH64","subArchitectures":["SCMP_ARCH_ARM"]}],
            "syscalls":[
              {"names":["read"],"action":"SCMP_ACT_ALLOW","args":[],"includes":{},"excludes":{}},
              {"names":["bpf"],"action":"SCMP_ACT_ALLOW","includes":{"caps":["CAP_SYS_ADMIN"]},"excludes":{}},
              {"names":["bpf"],"action":"SCMP_ACT_ERRNO","errnoRet":1,"excludes":{"caps":["CAP_SYS_ADMIN"]}},
              {"names":["arch_prctl"],"action":"SCMP_ACT_ALLOW","includes":{"arches":["amd64"]}},
              {"names":["breakpoint"],"action":"SCMP_ACT_ALLOW","includes":{"arches":["arm64"]}}]}""";

    @Test
    void keepsRulesOfThisArchitectureWithoutCapabilities() throws Exception {
        ObjectNode filter = SeccompProfile.convert(EcsJson.MAPPER.readTree(PROFILE), "amd64");
        assertThat(filter).isEqualTo(EcsJson.MAPPER.readTree("""
                {"defaultAction":"SCMP_ACT_ERRNO","defaultErrnoRet":38,
                "architectures":["SCMP_ARCH_X86_64","SCMP_ARCH_X86"],
                "syscalls":[
                  {"names":["read"],"action":"SCMP_ACT_ALLOW"},
                  {"names":["bpf"],"action":"SCMP_ACT_ERRNO","errnoRet":1},
                  {"names":["arch_prctl"],"action":"SCMP_ACT_ALLOW"}]}"""));
    }
}
