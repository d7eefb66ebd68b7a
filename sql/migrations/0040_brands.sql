-- The background, font, corners and layout of an app's pages and emails, and the logos of its emails.
alter table login_policies
  add column background text collate "C",
  add column dark_background text collate "C",
  add column font text collate "C",
  add column radius text collate "C",
  add column layout text collate "C",
  add column email_logo text collate "C",
  add column dark_email_logo text collate "C";
alter table login_policies add constraint login_policies_font_check
  check (font in ('system', 'grotesque', 'geometric', 'humanist', 'rounded', 'serif', 'slab', 'mono')) not valid;
alter table login_policies add constraint login_policies_radius_check
  check (radius in ('none', 'small', 'medium', 'large', 'round')) not valid;
alter table login_policies add constraint login_policies_layout_check
  check (layout in ('card', 'plain', 'split')) not valid;
