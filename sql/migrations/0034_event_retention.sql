-- How many days a realm keeps its events, where that is less than the deployment does.
alter table realms add column event_retention_days integer;

create index realms_by_event_retention on realms (event_retention_days, id) where event_retention_days is not null;
