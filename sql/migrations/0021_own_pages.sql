-- Of a login elsewhere that began on our own pages: which of them it goes on at, in place of the app.
alter table oauth_states add column own_page text collate "C";
