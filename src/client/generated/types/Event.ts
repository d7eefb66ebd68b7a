// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { DomainOfEvent } from "./DomainOfEvent.ts"
import type { EventActor } from "./EventActor.ts"
import type { EventType } from "./EventType.ts"
import type { ImportOutcome } from "./ImportOutcome.ts"
import type { OperatorOfEvent } from "./OperatorOfEvent.ts"
import type { RequestAttributes } from "./RequestAttributes.ts"

/** An event. */
export interface Event {
  /** The event's ID, which begins with `ev_`. */
  readonly id: string
  /** The type of the object: always `event`. */
  readonly object: "event"
  readonly event_type: EventType
  /** Unix time in seconds, with up to three decimals, of the event. */
  readonly event_at: number
  /** The ID of the event's realm; null for events of hooks and API keys for all realms. */
  readonly realm_id: string | null
  /** The user's ID. Missing if the event is not about one. */
  readonly user_id?: string
  /** The org's ID. Missing if the event is not about one. */
  readonly org_id?: string
  /** The membership's ID. Missing if the event is not about one. */
  readonly membership_id?: string
  /** The invitation's ID. Missing if the event is not about one. */
  readonly invitation_id?: string
  /** The session's ID. Missing if the event is not about one. */
  readonly session_id?: string
  /** The auth provider's ID. Missing if the event is not about one. */
  readonly auth_provider_id?: string
  /** The hook's ID, under its `/v1` name. Missing if the event is not about one. */
  readonly app_hook_id?: string
  /** The hook's ID, under its `/v2` name. Missing if the event is not about one. */
  readonly hook_id?: string
  /** The connected app's ID, under its `/v1` name. Missing if the event is not about one. */
  readonly login_policy_id?: string
  /** The connected app's ID, under its `/v2` name. Missing if the event is not about one. */
  readonly client_app_id?: string
  /** The API key's ID. Missing if the event is not about one. */
  readonly api_key_id?: string
  /** The actor who caused the event. */
  readonly actor: EventActor
  /**
   * The names of the changed members, in alphabetical order, without their values. Only on types that end in
   * `.updated`; empty if the update changed nothing.
   */
  readonly changed?: ReadonlyArray<string>
  /**
   * On `session.deleted`: why the session was ended. It was deleted through the API (`deleted`); ended by its user in
   * hosted login (`logged_out`); replaced because its user logged in again in the same browser (`logged_in_again`);
   * ended because the password was changed (`password_changed`); ended because the password was reset with a token
   * (`password_reset`); ended because the user's email was verified for the first time (`email_verified`); ended
   * because its user was deactivated (`user_inactive`); ended because its user was deleted (`user_deleted`); ended
   * immediately because the login was only for accepting an invitation (`invitation_login`). On `user.login.failed`:
   * why the login failed: the password was wrong (`wrong_password`); the user has no password, or it is locked because
   * someone else proved that the email is theirs (`no_password`); the password or the provider's profile was correct,
   * but the user is inactive (`user_inactive`); the user was blocked after too many wrong passwords or codes;
   * `attempts` counts the attempts (`blocked`); no user has this name; all such attempts within a minute share one
   * event, without a user (`unknown_user`); the code was wrong or already used (`wrong_code`); the code or its token
   * was already used or has expired, or too many codes were tried with it (`expired`); the passkey's response was
   * rejected, or its user is inactive (`wrong_passkey`); this login method is disabled; `attempts` counts the attempts,
   * and there is no user if none is known (`method_off`); the provider denied the login, its response could not be
   * used, or its profile was not sufficient for an account; `attempts` counts the attempts, and there is no user if
   * none is known (`provider_refused`).
   */
  readonly reason?:
    | "deleted"
    | "logged_out"
    | "logged_in_again"
    | "password_changed"
    | "password_reset"
    | "email_verified"
    | "user_inactive"
    | "user_deleted"
    | "invitation_login"
    | "wrong_password"
    | "no_password"
    | "blocked"
    | "unknown_user"
    | "wrong_code"
    | "expired"
    | "wrong_passkey"
    | "method_off"
    | "provider_refused"
  /**
   * Only on `user.login.succeeded`: how the user logged in, in the order used, such as `password` and `totp`. `email`
   * is an emailed code or link. External providers have their `provider_type`, or `external` if it is no longer known
   * because a second factor was added to an earlier login. Missing on events of earlier releases.
   */
  readonly methods?: ReadonlyArray<
    | "password"
    | "passkey"
    | "email"
    | "totp"
    | "recovery_code"
    | "api_key"
    | "apple"
    | "facebook"
    | "github"
    | "google"
    | "linkedin"
    | "microsoft"
    | "slack"
    | "yahoo"
    | "oauth2"
    | "oidc"
    | "external"
  >
  /**
   * Only on `user.login.failed` events that are recorded once a minute, for example for a blocked user, for unknown
   * names, or if this login method is turned off: the number of attempts within that minute.
   */
  readonly attempts?: number
  /**
   * Only on `user.login.failed` for unknown names, if the realm has `record_unknown_names`: the first 20 of these
   * names, as typed. Names are truncated to 200 characters, and control characters are replaced by spaces.
   */
  readonly names?: ReadonlyArray<string>
  /** Only on `realm.imported`: the result of the import. */
  readonly import?: ImportOutcome
  /** Only on `realm.reset`: the kinds of resources to delete. */
  readonly reset?: ReadonlyArray<"app_hooks" | "auth_providers" | "login_policies" | "orgs" | "users">
  /** Only on `operator.*`: the operator after the change, or before the removal. */
  readonly operator?: OperatorOfEvent
  /** Only on `domain.*`: the domain. */
  readonly domain?: DomainOfEvent
  /** The token, for types that have one. Null if it was used or has expired, and for keys below level `write`. */
  readonly token?: string | null
  /** The request attributes of the request that caused the event. */
  readonly request: RequestAttributes
}
