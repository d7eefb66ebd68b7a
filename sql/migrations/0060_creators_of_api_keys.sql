-- The operator who created the key in the console, who may have been removed since. Null if an API key created it.
alter table api_keys add column created_by text collate "C";
