-- Clearings take turns, a piece at a time: the one whose last turn is the longest ago is next. 0: it has had none.
alter table realm_jobs add column turn bigint not null default 0;
