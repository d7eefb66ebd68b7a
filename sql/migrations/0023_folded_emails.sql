-- `email` and `email_pending` are in the form in which mails are sent: canonical, the domain in ASCII (UTS 46). Beside them is
-- the address as given, where it differs.
alter table users add column email_shown text collate "C", add column email_pending_shown text collate "C";
alter table invitations add column email_shown text collate "C";
