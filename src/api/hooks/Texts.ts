/** The descriptions of a hook's settings, for requests and responses. */
export const texts = {
  state: "Whether the hook sends: `active`, or `inactive`, which also cancels what it has not sent yet.",
  event_type:
    "The types of events that the hook sends. Of a webhook: any, and none means all, also those of later releases. Of an email hook: exactly one, of a user or (`/v2`) an invitation.",
  hook_type: "What the hook sends: requests (`webhook`) or mails (`email`). Decides which members there are.",
  delay: "The seconds between an event and the first attempt, 0 to 2,592,000 (30 days).",
  destination: "Of a webhook: the URL to which events are posted: https, or http where the deployment allows it.",
  email_from:
    "Of an email hook: the sender's address, of a domain that the deployment allows; null for the deployment's own address.",
  email_from_name:
    "Of an email hook: the sender's name. Null: with an address of the hook's own none, else that of the deployment, or the realm's.",
  email_renderer:
    "Of an email hook: what the template is: Markdown, sent as HTML and text (`markdown`); HTML, sent alone (`html`) or with a text made of it (`html+text`); or text (`text`).",
  email_subject:
    "Of an email hook: the subject, in one line, with variables as in the template; null for that of a default mail.",
  email_template:
    'Of an email hook: the body, with the variables `{{code}}` (the digits of a code by mail), `{{email}}`, `{{event_at}}`, `{{expires_in}}` (how long the link works: “3 days”), `{{first_name}}`, `{{full_name}}`, `{{inviter_name}}` and `{{org_name}}` (of an invitation), `{{ip}}`, `{{realm_name}}`, `{{token}}`, `{{url}}` and `{{username}}`; what there is none of is empty. In Markdown, a paragraph with only `[Label]({{url}} "button")` is a button. Null for the body of a default mail.',
  email_to: "Of an email hook: an address that gets all mails instead of the user, for tests; null for none.",
  user_type: "Of an email hook: which users get mails: `all`, `human` or `api`."
} as const
