/** The event types by subject, as sent by `/v2` hooks. */
interface EventTypes {
  readonly account:
    | "console.session.created"
    | "console.session.deleted"
    | "console.updated"
    | "operator.created"
    | "operator.deleted"
    | "operator.invited"
    | "operator.updated"
  readonly api_key: "api_key.created" | "api_key.deleted"
  readonly auth_provider: "auth_provider.created" | "auth_provider.deleted" | "auth_provider.updated"
  readonly client_app: "login_policy.created" | "login_policy.deleted" | "login_policy.updated"
  readonly domain: `domain.${"check_failed" | "created" | "deleted" | "lost" | "recovered" | "verified"}`
  readonly hook: "app_hook.created" | "app_hook.deleted" | "app_hook.updated" | "hook.disabled"
  readonly invitation: `invitation.${"org" | "preverify" | "referral" | "request"}.${
    | "accepted"
    | "created"
    | "expired"
    | "invited"
    | "updated"}`
  readonly membership: "membership.created" | "membership.deleted" | "membership.updated"
  readonly oauth_client: "oauth.client.registered" | "oauth.client_secret.rotated"
  readonly oauth_grant:
    | "oauth.code.reused"
    | "oauth.consent.granted"
    | "oauth.consent.revoked"
    | "oauth.device.approved"
    | "oauth.device.denied"
    | "oauth.grant.created"
    | "oauth.grant.revoked"
    | "oauth.logout.failed"
    | "oauth.refresh.reused"
    | "oauth.token.revoked"
  readonly org: "org.created" | "org.deleted" | "org.updated"
  readonly realm:
    | "realm.created"
    | "realm.deleted"
    | "realm.exported"
    | "realm.imported"
    | "realm.importing"
    | "realm.reset"
    | "realm.updated"
  readonly session: "session.deleted"
  readonly user:
    | "token.too_large"
    | "user.blocked"
    | "user.created"
    | "user.deleted"
    | "user.deletion.canceled"
    | "user.deletion.scheduled"
    | "user.device.trusted"
    | "user.device.untrusted"
    | "user.email.updating"
    | "user.email.verified"
    | "user.email.verifying"
    | "user.email_code.requested"
    | "user.login.failed"
    | "user.login.initiated"
    | "user.login.succeeded"
    | "user.password.resetting"
    | "user.password_token.consumed"
    | "user.password_token.failed"
    | "user.profile.updated"
    | "user.recovery_code.used"
    | "user.unblocked"
    | "user.updated"
}

type Noun = keyof EventTypes

/** The ID members of events, by subject. The ID of a realm is `realm_id`, which all events have. */
interface IdNames {
  readonly account: never
  readonly api_key: "api_key_id"
  readonly auth_provider: "auth_provider_id"
  readonly client_app: "client_app_id"
  readonly domain: "org_id"
  readonly hook: "hook_id"
  readonly invitation: "invitation_id"
  readonly membership: "membership_id" | "user_id"
  readonly oauth_client: "client_app_id"
  readonly oauth_grant: "client_app_id" | "user_id"
  readonly org: "org_id"
  readonly realm: never
  readonly session: "session_id" | "user_id"
  readonly user: "user_id"
}

type IdName = IdNames[Noun]

/** The result of an import. */
export interface WebhookImport {
  /** Whether all rows were processed. If not, send the same rows again to resume the import. */
  readonly complete: boolean
  /** The number of processed rows: the sum of the next four. */
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
  readonly orgs_created: number
}

/** The members that all events have, besides the type. */
interface Members {
  /** The event's ID, which starts with `ev_`. */
  readonly id: string
  readonly object: "event"
  /** The time of the event, in Unix seconds with up to three decimals. */
  readonly event_at: number
  /** The ID of the realm, or null for events of hooks and API keys for all realms. */
  readonly realm_id: string | null
  /**
   * The actor that caused the event: an API key, an operator in the console, a user, a visitor on an app's pages, or the service
   * itself. `email` is the operator's.
   */
  readonly actor: {
    readonly type: "api_key" | "operator" | "user" | "client_app" | "system"
    readonly id: string | null
    readonly email?: string
  }
  /** The IP address and the software of the person who acted, or null if unknown. */
  readonly request: { readonly ip: string | null; readonly client: string | null }
}

/** The members that only some events have. */
interface Details<Type extends string> {
  /** Only for types ending in `.updated`: the names of the changed members, in alphabetical order. */
  readonly changed: Type extends `${string}.updated` ? ReadonlyArray<string> : never
  /** Only for `session.deleted`: the reason why the session ended, such as `logged_out`. */
  readonly reason: Type extends "session.deleted" ? string : never
  /** Only for `user.login.succeeded`: the methods of the login, in the order they were used, such as `password` and `totp`. */
  readonly methods: Type extends "user.login.succeeded" ? ReadonlyArray<string> : never
  /** Only for `realm.imported`. */
  readonly import: Type extends "realm.imported" ? WebhookImport : never
  /** Only for `realm.reset`: the kinds of resources to be deleted. */
  readonly reset: Type extends "realm.reset" ? ReadonlyArray<string> : never
  /** Only for `operator.created`, `operator.deleted` and `operator.updated`. `realm_id` is the realm that the operator is locked to. */
  readonly operator: Type extends "operator.created" | "operator.deleted" | "operator.updated"
    ? { readonly email: string; readonly role: string; readonly realm_id: string | null }
    : never
  /** Only for `domain.*`. `problem`: for `domain.check_failed` and `domain.lost`, the reason, such as `no_record`. */
  readonly domain: Type extends `domain.${string}`
    ? { readonly id: string; readonly name: string; readonly problem?: string }
    : never
}

/** The members of `Details` that events of a type have. */
type DetailsOf<Type extends string> = {
  readonly [Name in keyof Details<Type> as Details<Type>[Name] extends never ? never : Name]: Details<Type>[Name]
}

type About<Of extends Noun, Type extends EventTypes[Of]> = Members &
  DetailsOf<Type> & { readonly event_type: Type } & { readonly [Name in IdNames[Of]]: string } & {
    readonly [Name in Exclude<IdName, IdNames[Of]>]?: string
  } & {
    /** The event's token, for types that have one. Null once it is used or expired. */
    readonly token?: string | null
  }

/** A test message. It is not an event and doesn't appear in any list. */
interface Ping extends Members {
  readonly event_type: "hook.ping"
  readonly hook_id: string
}

/** The event types with their events, as sent by `/v2` hooks. */
export type WebhookEvents = {
  readonly [Type in EventTypes[Noun]]: { [Of in Noun]: Type extends EventTypes[Of] ? About<Of, Type> : never }[Noun]
} & { readonly "hook.ping": Ping }

/** The event types. */
export type WebhookEventType = keyof WebhookEvents

/**
 * An event as sent by a `/v2` hook. `event_type` determines its members. Later releases may send types that are not
 * listed here.
 */
export type WebhookEvent = WebhookEvents[WebhookEventType]
