-- Pages of all users' events, newest first. What else is asked for is looked at along the way: an index on it would cost
-- each step more than it saves a search.
CREATE INDEX order_events_by_time ON order_events (at);
CREATE INDEX worker_events_by_time ON worker_events (at);
