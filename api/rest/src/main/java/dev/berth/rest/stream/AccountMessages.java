package dev.berth.rest.stream;

import dev.berth.activities.account.AccountPart;
import dev.berth.activities.account.AccountReadModel.Reported;
import dev.berth.activities.order.UserEvent.AccountEvent;
import dev.berth.rest.account.AccountOrdersView;
import dev.berth.rest.account.BalancesView;
import dev.berth.rest.account.PositionsView;
import dev.berth.rest.stream.StreamMessage.AccountMessage;
import dev.berth.workflows.account.AccountOrder;
import dev.berth.workflows.broker.AccountKey;
import java.util.List;

/**
 * Messages of a user's accounts.
 *
 * @param orders tells the user's own orders from those that were made elsewhere
 */
record AccountMessages(OrdersView orders) {
    private static final String TYPE = "account";

    /** Shows the open orders of an account. */
    interface OrdersView {
        AccountOrdersView of(AccountKey account, Reported<List<AccountOrder>> reported);
    }

    AccountMessage of(AccountEvent event) {
        long position = event.position();
        AccountKey account = event.account();
        if (AccountPart.BALANCES.isOf(event)) {
            BalancesView balances = BalancesView.of(AccountPart.BALANCES.reported(event));
            return new AccountMessage(position, TYPE, account, balances, null, null);
        }
        if (AccountPart.POSITIONS.isOf(event)) {
            PositionsView positions = PositionsView.of(AccountPart.POSITIONS.reported(event));
            return new AccountMessage(position, TYPE, account, null, positions, null);
        }
        AccountOrdersView open = orders.of(account, AccountPart.ORDERS.reported(event));
        return new AccountMessage(position, TYPE, account, null, null, open);
    }
}
