/** The descriptions of a hook's settings, for requests and responses. */
export const texts = {
  state: "Whether the hook is `active` or `inactive`. Setting it to `inactive` also cancels its pending notifications.",
  event_type:
    "The types of events that the hook sends. A webhook can have any types; an empty list means all, including types added later. An email hook has exactly one type, about a user or (`/v2`) an invitation.",
  hook_type:
    "The type of the hook, which sends either requests (`webhook`) or emails (`email`). It determines which members are present.",
  delay: "The seconds between an event and the first attempt, 0 to 2,592,000 (30 days).",
  destination: "For a webhook: the URL to post events to. It must be https, or http if the deployment allows it.",
  email_from:
    "For an email hook: the sender's address, at a domain that the deployment allows; null for the deployment's address.",
  email_from_name:
    "For an email hook: the sender's name. If null, there is no name if the hook has its own address; otherwise the deployment's or the realm's name is used.",
  email_renderer:
    "For an email hook: the template's format. It can be Markdown, sent as HTML and text (`markdown`); HTML, sent without a text version (`html`) or with a generated one (`html+text`); or text (`text`).",
  email_subject:
    "For an email hook: the subject, on one line. It can contain the template's variables. Null for the default email's subject.",
  email_template:
    'For an email hook: the body, with the variables `{{app_name}}` (the name on the pages that the link opens), `{{code}}` (the digits of an emailed code), `{{deletion_at}}` (when the account will be deleted), `{{email}}`, `{{event_at}}`, `{{expires_in}}` (how long the link works: “3 days”), `{{first_name}}`, `{{full_name}}`, `{{inviter_name}}` and `{{org_name}}` (of an invitation), `{{ip}}`, `{{realm_name}}`, `{{token}}`, `{{url}}` and `{{username}}`; variables without a value are empty. In Markdown, a paragraph with only `[Label]({{url}} "button")` is a button. Null for the body of the default email.',
  email_to:
    "For an email hook: an address that gets all emails instead of the users, for tests; null if there is none.",
  user_type: "For an email hook: the users who get emails: `all`, `human` or `api`."
} as const
