-- Whether a realm has the names recorded that somebody tried to log in with and that nobody has (C278).
alter table realms add column record_unknown_names boolean not null default false;
