package dev.berth.acceptance.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.acceptance.rest.AccountsClient;
import dev.berth.acceptance.rest.OrderBody;
import dev.berth.acceptance.rest.Tokens;
import dev.berth.acceptance.rest.Trader;
import dev.berth.acceptance.stack.Stack;
import dev.berth.acceptance.stack.StackExtension;
import dev.berth.acceptance.stack.VenueAccounts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page's view of an account, in a real browser. */
@ExtendWith(StackExtension.class)
class AccountPageTest {
    private final Stack stack;
    private final VenueAccounts venueAccounts;
    private Browser browser;

    AccountPageTest(Stack stack) throws IOException {
        this.stack = stack;
        this.venueAccounts = VenueAccounts.of(stack);
    }

    @BeforeEach
    void openBrowser() throws Exception {
        assumeTrue(Browser.isInstalled(), "no Chromium with its driver: apt-get install chromium chromium-driver");
        browser = new Browser();
    }

    @AfterEach
    void closeBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    /** Signs in where the page is, which a sign-out does not change. */
    private void signIn(String token, String expected) throws IOException {
        browser.type("textarea[name=token]", token);
        browser.click("Sign in");
        browser.see(expected);
    }

    private void openAccount(Trader user) throws IOException {
        browser.open(stack.api().base() + "/");
        signIn(user.token(), "My orders");
        browser.click("Account");
    }

    @Test
    @Tag("X26")
    @DisplayName("A trader sees the account change, and cancels an order that was made elsewhere; a token that only"
            + " reads has no button for that")
    void traderSeesAccountChange() throws Exception {
        Trader holder = stack.trader("page-holder");
        openAccount(holder);
        browser.see("The account was not read yet");
        browser.click("Refresh");
        browser.see("No positions");
        browser.see("cash, USD");
        browser.see("as of ");
        assertThat(browser.errors()).as("reads before the first report").allMatch(error -> error.contains(" 404 "));
        browser.until("document.querySelector('.live').dataset.state === 'on'");

        holder.submit(OrderBody.market("page-held", "AAPL", "buy", "3").json());
        browser.until(row("AAPL"));
        String order = venueAccounts.submit(holder, "by-hand", "MSFT", "buy", "1", "50");
        browser.until(row(order) + "?.textContent.includes('ELSEWHERE')");
        browser.screenshot(Path.of("target/pictures/account.png"));
        assertThat(overflowAt(400)).as("pixels beyond a narrow window").isZero();

        browser.click("Sign out");
        browser.see("Sign in");
        signIn(new Tokens(stack).sign("page-holder", "orders:read"), order);
        assertThat(browser.value("document.querySelectorAll('td button').length")
                        .asLong())
                .as("orders:read alone may not cancel")
                .isZero();
        browser.click("Sign out");
        browser.see("Sign in");
        signIn(holder.token(), order);
        browser.click("Cancel…");
        browser.click("Cancel the order");
        browser.see("No open orders");
        assertThat(browser.errors()).isEmpty();
    }

    private static String row(String text) {
        return "[...document.querySelectorAll('tbody tr')].find(one => one.textContent.includes('%s'))".formatted(text);
    }

    private long overflowAt(int width) {
        browser.width(width);
        long overflow = browser.value("document.documentElement.scrollWidth - window.innerWidth")
                .asLong();
        browser.width(1360);
        return overflow;
    }

    @Test
    @Tag("X26")
    @DisplayName("A refused refresh shows why, and a select changes between accounts")
    void pageShowsWhyRefreshIsRefused() throws Exception {
        Trader owner = stack.trader("page-owner");
        String home = "/v1/accounts/remote/equity/paper/home";
        new AccountsClient(stack, owner).put(home, "{}");
        openAccount(owner);
        browser.until("document.querySelectorAll('select option').length > 1");
        browser.value("location.hash = '#/account/remote/equity/paper/home'");
        browser.until("document.querySelector('select').value === 'remote/equity/paper/home'");
        browser.click("Refresh");
        String refusal = "document.querySelector('[role=alert]').innerText";
        browser.until(refusal, Duration.ofSeconds(60));
        assertThat(browser.value(refusal).asText())
                .isEqualTo(owner.get(home + "/balances?fresh=true").text("detail"));
    }
}
