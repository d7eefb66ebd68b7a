// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { EventType } from "./EventType.ts"

/** A new hook. */
export interface NewHook {
  /**
   * The type of the hook, which sends either requests (`webhook`) or emails (`email`). It determines which members are
   * present. Can't be changed later. Default: `webhook`.
   */
  readonly hook_type?: "webhook" | "email" | null | undefined
  /**
   * The ID of the realm whose events the hook sends; null for all realms, which requires a key of level
   * `admin_all_realms`. Can't be changed later. Required, unless the key is locked to a realm.
   */
  readonly realm_id?: string | null | undefined
  /**
   * Whether the hook is `active` or `inactive`. Setting it to `inactive` also cancels its pending notifications.
   * Default: `active`.
   */
  readonly state?: "active" | "inactive" | undefined
  /**
   * The types of events that the hook sends. A webhook can have any types; an empty list means all, including types
   * added later. An email hook has exactly one type, about a user or (`/v2`) an invitation. Default: none.
   */
  readonly event_type?: ReadonlyArray<EventType> | string | undefined
  /** The seconds between an event and the first attempt, 0 to 2,592,000 (30 days). Default: 0. */
  readonly delay?: number | null | undefined
  /** For a webhook: the URL to post events to. It must be https, or http if the deployment allows it. Required. */
  readonly destination?: string | null | undefined
  /**
   * For an email hook: the sender's address, at a domain that the deployment allows; null for the deployment's address.
   * Default: null.
   */
  readonly email_from?: string | null | undefined
  /**
   * For an email hook: the sender's name. If null, there is no name if the hook has its own address; otherwise the
   * deployment's or the realm's name is used. Default: null.
   */
  readonly email_from_name?: string | null | undefined
  /**
   * For an email hook: the template's format. It can be Markdown, sent as HTML and text (`markdown`); HTML, sent
   * without a text version (`html`) or with a generated one (`html+text`); or text (`text`). Default: `markdown`.
   */
  readonly email_renderer?: "html" | "html+text" | "markdown" | "text" | null | undefined
  /**
   * For an email hook: the subject, on one line. It can contain the template's variables. Null for the default email's
   * subject. Required for a new hook.
   */
  readonly email_subject?: string | null | undefined
  /**
   * For an email hook: the body, with the variables `{{app_name}}` (the name on the pages that the link opens),
   * `{{code}}` (the digits of an emailed code), `{{deletion_at}}` (when the account will be deleted), `{{email}}`,
   * `{{event_at}}`, `{{expires_in}}` (how long the link works: “3 days”), `{{first_name}}`, `{{full_name}}`,
   * `{{inviter_name}}` and `{{org_name}}` (of an invitation), `{{ip}}`, `{{realm_name}}`, `{{token}}`, `{{url}}` and
   * `{{username}}`; variables without a value are empty. In Markdown, a paragraph with only `[Label]({{url}} "button")`
   * is a button. Null for the body of the default email. Required for a new hook.
   */
  readonly email_template?: string | null | undefined
  /**
   * For an email hook: an address that gets all emails instead of the users, for tests; null if there is none. Default:
   * null.
   */
  readonly email_to?: string | null | undefined
  /** For an email hook: the users who get emails: `all`, `human` or `api`. Default: `all`. */
  readonly user_type?: "all" | "human" | "api" | null | undefined
}
