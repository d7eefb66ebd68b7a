// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { EventActor } from "./EventActor.ts"
import type { EventType } from "./EventType.ts"
import type { ImportOutcome } from "./ImportOutcome.ts"
import type { Notification } from "./Notification.ts"
import type { RequestAttributes } from "./RequestAttributes.ts"

/** An event in a list or within another resource. */
export interface EventItem {
  /** The event's ID, which begins with `ev_`. */
  readonly id: string
  /** The type of the object: always `event`. */
  readonly object: "event"
  readonly event_type: EventType
  /** Unix time in seconds, with up to three decimals, at which it happened. */
  readonly event_at: number
  /** The ID of the realm in which it happened; null for events of hooks and API keys for all realms. */
  readonly realm_id: string | null
  /** The user's ID. Only if the event is about one. */
  readonly user_id?: string
  /** The org's ID. Only if the event is about one. */
  readonly org_id?: string
  /** The membership's ID. Only if the event is about one. */
  readonly membership_id?: string
  /** The invitation's ID. Only if the event is about one. */
  readonly invitation_id?: string
  /** The session's ID. Only if the event is about one. */
  readonly session_id?: string
  /** The auth provider's ID. Only if the event is about one. */
  readonly auth_provider_id?: string
  /** The hook's ID, as `/v1` calls it. Only if the event is about one. */
  readonly app_hook_id?: string
  /** The hook's ID, as `/v2` calls it. Only if the event is about one. */
  readonly hook_id?: string
  /** The connected app's ID, as `/v1` calls it. Only if the event is about one. */
  readonly login_policy_id?: string
  /** The connected app's ID, as `/v2` calls it. Only if the event is about one. */
  readonly client_app_id?: string
  /** The API key's ID. Only if the event is about one. */
  readonly api_key_id?: string
  /** Who caused the event. */
  readonly actor: EventActor
  /**
   * The names of the members that changed, in alphabetical order: each as a whole, and never its value. Only on types
   * that end in `.updated`; empty if the update repeated what was there.
   */
  readonly changed?: ReadonlyArray<string>
  /**
   * On `session.deleted`: why the session was ended. It was deleted by a program with an API key (`deleted`); ended by
   * its user, at hosted login (`logged_out`); replaced, because its user logged in again in the same browser
   * (`logged_in_again`); ended by a new password (`password_changed`); ended by a new password that was set with a
   * token (`password_reset`); ended because somebody proved for the first time that the user's e-mail is theirs
   * (`email_verified`); ended because its user was made inactive (`user_inactive`); ended because its user was deleted
   * (`user_deleted`); over at once, because the login was only to accept an invitation (`invitation_login`). On
   * `user.login.failed`: why the login failed: the password was wrong (`wrong_password`); the user has no password, or
   * nobody may log in with it since the mailbox was proved by somebody else (`no_password`); the password or the
   * profile at a provider was right, and the user is inactive (`user_inactive`); the user was blocked after many wrong
   * passwords or codes; `attempts` says how often (`blocked`); nobody has this name; of all such names of a minute
   * there is one event, without a user (`unknown_user`); the code was wrong or used before (`wrong_code`); the code or
   * its token was used or has expired, or too many codes were tried with it (`expired`); the passkey's answer was
   * refused, or its user is inactive (`wrong_passkey`); the way to log in is turned off; `attempts` says how often, and
   * there is no user where none is known (`method_off`); the provider refused the login or its answer could not be
   * used, or its profile was not enough for the account; `attempts` says how often, and there is no user where none is
   * known (`provider_refused`).
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
   * Only on `user.login.failed` that is recorded once a minute, as of a blocked user, of names that nobody has, or
   * where the way to log in is turned off: how many attempts of a minute the event stands for.
   */
  readonly attempts?: number
  /**
   * Only on `user.login.failed` of names that nobody has, if the realm has `record_unknown_names`: the first 20 of
   * these names, as typed. Longer ones are cut after 200 characters, and control characters are shown as spaces.
   */
  readonly names?: ReadonlyArray<string>
  /** Only on `realm.imported`: what became of the import. */
  readonly import?: ImportOutcome
  /** Only on `realm.reset`: the kinds of resources whose deletion was asked for. */
  readonly reset?: ReadonlyArray<"app_hooks" | "auth_providers" | "login_policies" | "orgs" | "users">
  /**
   * The token that the event carries, for types that carry one. Null once it was used or has expired, or below level
   * `write`.
   */
  readonly token?: string | null
  /** The request attributes of the request that caused the event. */
  readonly request: RequestAttributes
  /**
   * The deliveries of the event to hooks: those of hooks for all realms only at level `admin_all_realms`. Only with
   * `expand=notifications`.
   */
  readonly notifications?: ReadonlyArray<Notification>
}
