// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { EventType } from "./EventType.ts"

/** A hook. */
export type Hook =
  | {
      /** The hook's ID, which begins with `hk_`. */
      readonly id: string
      /** The type of the object: always `hook`; under `/v1`, `app_hook`. */
      readonly object: "app_hook" | "hook"
      /** The ID of the realm whose events the hook sends; null for all realms. */
      readonly realm_id: string | null
      /** Whether the hook is `active` or `inactive`. Setting it to `inactive` also cancels its pending notifications. */
      readonly state: "active" | "inactive"
      /**
       * The types of events that the hook sends. A webhook can have any types; an empty list means all, including types
       * added later. An email hook has exactly one type, about a user or (`/v2`) an invitation.
       */
      readonly event_type: ReadonlyArray<EventType>
      /**
       * The type of the hook, which sends either requests (`webhook`) or emails (`email`). It determines which members are
       * present.
       */
      readonly hook_type: "webhook"
      /**
       * For a webhook: the URL to post events to. It must be https, or http if the deployment allows it. Null for email
       * hooks.
       */
      readonly destination: string | null
      /** The API version whose names the hook's payloads use: the version under which it was created. */
      readonly version: "v1" | "v2"
      /** The seconds between an event and the first attempt, 0 to 2,592,000 (30 days). */
      readonly delay: number
      /** Unix time in seconds, with up to three decimals, at which the resource was created. */
      readonly created_at: number
      /** The secret that signs the requests: `whsec_` and 32 bytes in Base64. Null for keys below level `admin_realm`. */
      readonly secret: string | null
    }
  | {
      /** The hook's ID, which begins with `hk_`. */
      readonly id: string
      /** The type of the object: always `hook`; under `/v1`, `app_hook`. */
      readonly object: "app_hook" | "hook"
      /** The ID of the realm whose events the hook sends; null for all realms. */
      readonly realm_id: string | null
      /** Whether the hook is `active` or `inactive`. Setting it to `inactive` also cancels its pending notifications. */
      readonly state: "active" | "inactive"
      /**
       * The types of events that the hook sends. A webhook can have any types; an empty list means all, including types
       * added later. An email hook has exactly one type, about a user or (`/v2`) an invitation.
       */
      readonly event_type: ReadonlyArray<EventType>
      /**
       * The type of the hook, which sends either requests (`webhook`) or emails (`email`). It determines which members are
       * present.
       */
      readonly hook_type: "email"
      /**
       * For a webhook: the URL to post events to. It must be https, or http if the deployment allows it. Null for email
       * hooks.
       */
      readonly destination: string | null
      /** The API version whose names the hook's payloads use: the version under which it was created. */
      readonly version: "v1" | "v2"
      /** The seconds between an event and the first attempt, 0 to 2,592,000 (30 days). */
      readonly delay: number
      /** Unix time in seconds, with up to three decimals, at which the resource was created. */
      readonly created_at: number
      /**
       * For an email hook: the sender's address, at a domain that the deployment allows; null for the deployment's address.
       */
      readonly email_from: string | null
      /**
       * For an email hook: the sender's name. If null, there is no name if the hook has its own address; otherwise the
       * deployment's or the realm's name is used.
       */
      readonly email_from_name: string | null
      /**
       * For an email hook: the template's format. It can be Markdown, sent as HTML and text (`markdown`); HTML, sent
       * without a text version (`html`) or with a generated one (`html+text`); or text (`text`).
       */
      readonly email_renderer: "html" | "html+text" | "markdown" | "text"
      /**
       * For an email hook: the subject, on one line. It can contain the template's variables. Null for the default email's
       * subject.
       */
      readonly email_subject: string | null
      /**
       * For an email hook: the body, with the variables `{{app_name}}` (the name on the pages that the link opens),
       * `{{code}}` (the digits of an emailed code), `{{deletion_at}}` (when the account will be deleted), `{{email}}`,
       * `{{event_at}}`, `{{expires_in}}` (how long the link works: “3 days”), `{{first_name}}`, `{{full_name}}`,
       * `{{inviter_name}}` and `{{org_name}}` (of an invitation), `{{ip}}`, `{{realm_name}}`, `{{token}}`, `{{url}}` and
       * `{{username}}`; variables without a value are empty. In Markdown, a paragraph with only `[Label]({{url}} "button")`
       * is a button. Null for the body of the default email.
       */
      readonly email_template: string | null
      /** For an email hook: an address that gets all emails instead of the users, for tests; null if there is none. */
      readonly email_to: string | null
      /** For an email hook: the users who get emails: `all`, `human` or `api`. */
      readonly user_type: "all" | "human" | "api"
    }
