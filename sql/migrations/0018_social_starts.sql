-- Logins that began in a browser on a connected app's host: of which app, and where that app is to be told.
alter table oauth_states
  add column client_app_id text collate "C",
  add column return_to text;
