-- Whether a user has sent an invitation on the hosted pages, which is good only as long as that user might send it. Others are
-- the decision of whoever has an API key.
alter table invitations add column sent_by_member boolean not null default false;
