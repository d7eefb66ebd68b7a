// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { EventType } from "./EventType.ts"

/** The settings of a hook. */
export interface HookInput {
  /**
   * Whether the hook sends: `active`, or `inactive`, which also cancels its pending notifications. Default: `active`.
   */
  readonly state?: "active" | "inactive" | undefined
  /**
   * The types of events that the hook sends. For a webhook: any; an empty list means all, including types added later.
   * For an email hook: exactly one, about a user or (`/v2`) an invitation. Default: none.
   */
  readonly event_type?: ReadonlyArray<EventType> | string | undefined
  /** The seconds between an event and the first attempt, 0 to 2,592,000 (30 days). Default: 0. */
  readonly delay?: number | null | undefined
  /** For a webhook: the URL to which events are posted: https, or http if the deployment allows it. Required. */
  readonly destination?: string | null | undefined
  /**
   * For an email hook: the sender's address, at a domain that the deployment allows; null for the deployment's own
   * address. Default: null.
   */
  readonly email_from?: string | null | undefined
  /**
   * For an email hook: the sender's name. Null: no name if the hook has its own address, otherwise the deployment's or
   * the realm's name. Default: null.
   */
  readonly email_from_name?: string | null | undefined
  /**
   * For an email hook: the template's format: Markdown, sent as HTML and text (`markdown`); HTML, sent alone (`html`)
   * or with a text version generated from it (`html+text`); or text (`text`). Default: `markdown`.
   */
  readonly email_renderer?: "html" | "html+text" | "markdown" | "text" | null | undefined
  /**
   * For an email hook: the subject, in one line, with variables as in the template; null for the default email's
   * subject. Required for a hook of your own.
   */
  readonly email_subject?: string | null | undefined
  /**
   * For an email hook: the body, with the variables `{{code}}` (the digits of an emailed code), `{{email}}`,
   * `{{event_at}}`, `{{expires_in}}` (how long the link works: “3 days”), `{{first_name}}`, `{{full_name}}`,
   * `{{inviter_name}}` and `{{org_name}}` (of an invitation), `{{ip}}`, `{{realm_name}}`, `{{token}}`, `{{url}}` and
   * `{{username}}`; variables without a value are empty. In Markdown, a paragraph with only `[Label]({{url}} "button")`
   * is a button. Null for the body of the default email. Required for a hook of your own.
   */
  readonly email_template?: string | null | undefined
  /**
   * For an email hook: an address that gets all emails instead of the user, for tests; null for none. Default: null.
   */
  readonly email_to?: string | null | undefined
  /** For an email hook: which users get emails: `all`, `human` or `api`. Default: `all`. */
  readonly user_type?: "all" | "human" | "api" | null | undefined
}
