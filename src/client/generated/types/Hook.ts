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
      /** Whether the hook sends: `active`, or `inactive`, which also cancels what it has not sent yet. */
      readonly state: "active" | "inactive"
      /**
       * The types of events that the hook sends. Of a webhook: any, and none means all, also those of later releases. Of an
       * e-mail hook: exactly one, of a user or (`/v2`) an invitation.
       */
      readonly event_type: ReadonlyArray<EventType>
      /** What the hook sends: requests (`webhook`) or mails (`email`). Decides which members there are. */
      readonly hook_type: "webhook"
      /**
       * Of a webhook: the URL to which events are posted: https, or http where the deployment allows it. Null for e-mail
       * hooks.
       */
      readonly destination: string | null
      /** The API version whose names the hook's payloads use: that under which it was created. */
      readonly version: "v1" | "v2"
      /** The seconds between an event and the first attempt, 0 to 2,592,000 (30 days). */
      readonly delay: number
      /** Unix time in seconds, with up to three decimals, at which the resource was created. */
      readonly created_at: number
      /** The secret that signs the requests: `whsec_` and 32 bytes in Base64. Null below level `admin_realm`. */
      readonly secret: string | null
    }
  | {
      /** The hook's ID, which begins with `hk_`. */
      readonly id: string
      /** The type of the object: always `hook`; under `/v1`, `app_hook`. */
      readonly object: "app_hook" | "hook"
      /** The ID of the realm whose events the hook sends; null for all realms. */
      readonly realm_id: string | null
      /** Whether the hook sends: `active`, or `inactive`, which also cancels what it has not sent yet. */
      readonly state: "active" | "inactive"
      /**
       * The types of events that the hook sends. Of a webhook: any, and none means all, also those of later releases. Of an
       * e-mail hook: exactly one, of a user or (`/v2`) an invitation.
       */
      readonly event_type: ReadonlyArray<EventType>
      /** What the hook sends: requests (`webhook`) or mails (`email`). Decides which members there are. */
      readonly hook_type: "email"
      /**
       * Of a webhook: the URL to which events are posted: https, or http where the deployment allows it. Null for e-mail
       * hooks.
       */
      readonly destination: string | null
      /** The API version whose names the hook's payloads use: that under which it was created. */
      readonly version: "v1" | "v2"
      /** The seconds between an event and the first attempt, 0 to 2,592,000 (30 days). */
      readonly delay: number
      /** Unix time in seconds, with up to three decimals, at which the resource was created. */
      readonly created_at: number
      /**
       * Of an e-mail hook: the sender's address, of a domain that the deployment allows; null for the deployment's own
       * address.
       */
      readonly email_from: string | null
      /**
       * Of an e-mail hook: the sender's name. Null: with an address of the hook's own none, else that of the deployment, or
       * the realm's.
       */
      readonly email_from_name: string | null
      /**
       * Of an e-mail hook: what the template is: Markdown, sent as HTML and text (`markdown`); HTML, sent alone (`html`) or
       * with a text made of it (`html+text`); or text (`text`).
       */
      readonly email_renderer: "html" | "html+text" | "markdown" | "text"
      /**
       * Of an e-mail hook: the subject, in one line, with variables as in the template; null for that of a default mail.
       */
      readonly email_subject: string | null
      /**
       * Of an e-mail hook: the body, with the variables `{{code}}` (the digits of a code by mail), `{{email}}`,
       * `{{event_at}}`, `{{expires_in}}` (how long the link works: “3 days”), `{{first_name}}`, `{{full_name}}`,
       * `{{inviter_name}}` and `{{org_name}}` (of an invitation), `{{ip}}`, `{{realm_name}}`, `{{token}}`, `{{url}}` and
       * `{{username}}`; what there is none of is empty. In Markdown, a paragraph with only `[Label]({{url}} "button")` is a
       * button. Null for the body of a default mail.
       */
      readonly email_template: string | null
      /** Of an e-mail hook: an address that gets all mails instead of the user, for tests; null for none. */
      readonly email_to: string | null
      /** Of an e-mail hook: which users get mails: `all`, `human` or `api`. */
      readonly user_type: "all" | "human" | "api"
    }
