package dev.berth.acceptance.chaos;

import java.io.IOException;
import java.util.List;

/**
 * Some submissions fail at the venue, where a refused order ends as {@code REJECTED}; or a proxy in
 * front of it answers, its stream repeats, swaps and leaves out, or executions are corrected; or
 * its FIX sessions err. An order of an account over FIX that hangs is resolved by hand.
 */
final class VenueFaultInjection {
    private static final List<String> VARIANTS = List.of(
            "{\"dropAnswer\":0.15}",
            "{\"hang\":0.05}",
            "{\"serverError\":0.15}",
            "{\"delayMillis\":800,\"dropAnswer\":0.05}",
            "{\"refuse\":0.05,\"delayMillis\":200,\"serverError\":0.05}");

    /** None of them says that an order was refused, is absent, or that credentials are wrong. */
    private static final List<String> ANSWERS = List.of("""
            {"answers":[
             {"method":"POST","carriedOut":true,"status":408,"body":"{\\"code\\":-1007,\\"msg\\":\\"time-out\\"}","probability":0.2},
             {"method":"GET","path":"/v2/orders:","carriedOut":false,"status":404,"body":"<html>nginx</html>","probability":0.5}]}""", """
            {"answers":[{"carriedOut":false,"status":403,"body":"<html>Access denied</html>","probability":0.3}]}""", """
            {"answers":[{"carriedOut":true,"cut":true,"probability":0.1},
             {"carriedOut":true,"status":502,"body":"","probability":0.1}]}""", """
            {"answers":[{"carriedOut":true,"probability":1.0,"headers":{"Retry-After":"-1","X-RateLimit-Limit":"0",
             "X-RateLimit-Remaining":"many","X-RateLimit-Reset":"99999999999"}}]}""", """
            {"answers":[{"method":"DELETE","carriedOut":false,"status":422,
             "body":"{\\"code\\":42210000,\\"message\\":\\"order is not cancelable\\"}","probability":0.5}]}""", """
            {"silent":0.3,"repeatUpdates":0.3,"swapUpdates":0.3}""");

    /** A number that is left out, and a report that is lost with its connection, come again. */
    private static final List<String> FIX = List.of(
            "{\"fixDuplicateReports\":0.4}",
            "{\"fixSequenceGap\":0.2}",
            "{\"fixDisconnect\":0.25}",
            "{\"fixResendRequest\":0.3}",
            "{\"dropAnswer\":0.2,\"fixResendRequest\":0.1,\"fixSequenceGap\":0.1}",
            "{\"dropAnswer\":0.1,\"delayMillis\":500,\"fixDuplicateReports\":0.2,\"fixDisconnect\":0.1}");

    private VenueFaultInjection() {}

    static int inject(ChaosEnvironment site, PlannedFault fault) throws IOException, InterruptedException {
        return during(site, fault, VARIANTS);
    }

    static int answer(ChaosEnvironment site, PlannedFault fault) throws IOException, InterruptedException {
        site.correctExecutions();
        return during(site, fault, ANSWERS);
    }

    static int fix(ChaosEnvironment site, PlannedFault fault) throws IOException, InterruptedException {
        return during(site, fault, FIX);
    }

    private static int during(ChaosEnvironment site, PlannedFault fault, List<String> variants)
            throws IOException, InterruptedException {
        site.venueFaults(variants.get(fault.place() % variants.size()));
        try {
            Thread.sleep(fault.lasts());
            return 1;
        } finally {
            site.venueFaults("{}");
        }
    }
}
