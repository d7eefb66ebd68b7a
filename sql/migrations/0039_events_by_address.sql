-- without a transaction: the index is made while rows are written.
-- Lists of the events of one IP address, such as one that tries many passwords.
drop index concurrently if exists events_by_address;
create index concurrently events_by_address on events (realm_id, request_ip, event_type, id) where request_ip is not null;
