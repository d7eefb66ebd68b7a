import type { AppHook, EmailHook, EmailRenderer, HookState, HookType } from "#domain/AppHook"
import type { DefaultMailName } from "#domain/DefaultMail"
import type { EventType, Version } from "#domain/Event"
import { ACCOUNT, type HookId, type RealmId } from "#domain/Ids"
import { date, dateOrNull, utc, utcOrNull } from "../statements/Rows.ts"

/** A row of `app_hooks`, without its secrets. */
export interface HookRow {
  readonly realm_id: RealmId
  readonly id: HookId
  readonly version: Version
  readonly state: HookState
  readonly hook_type: HookType
  readonly event_types: ReadonlyArray<EventType>
  readonly delay: number
  readonly destination: string | null
  readonly email_from: string | null
  readonly email_from_name: string | null
  readonly email_renderer: EmailRenderer | null
  readonly email_subject: string | null
  readonly email_template: string | null
  readonly email_to: string | null
  readonly user_type: EmailHook["userType"] | null
  readonly default_of: DefaultMailName | null
  readonly failing_since: Date | null
  readonly created_at: Date
}

/** The realm id under which a hook is stored. Hooks for all realms use the account's id. */
export const storedRealm = (realmId: RealmId | null): RealmId => realmId ?? ACCOUNT

export const realmOrNull = (stored: RealmId): RealmId | null => (stored === ACCOUNT ? null : stored)

export const hookFromRow = (row: HookRow): AppHook => {
  const common = {
    id: row.id,
    realmId: realmOrNull(row.realm_id),
    version: row.version,
    state: row.state,
    eventTypes: row.event_types,
    delay: row.delay,
    createdAt: utc(row.created_at),
    failingSince: utcOrNull(row.failing_since)
  }
  if (row.hook_type === "webhook") return { ...common, hookType: "webhook", destination: row.destination ?? "" }
  return {
    ...common,
    hookType: "email",
    emailFrom: row.email_from,
    emailFromName: row.email_from_name,
    emailRenderer: row.email_renderer ?? "markdown",
    emailSubject: row.email_subject,
    emailTemplate: row.email_template,
    emailTo: row.email_to,
    userType: row.user_type ?? "all",
    defaultOf: row.default_of
  }
}

/** The columns of a hook that an update may change. */
export const mutableHookColumns = (hook: AppHook) => {
  const common = {
    state: hook.state,
    event_types: hook.eventTypes,
    delay: hook.delay,
    failing_since: dateOrNull(hook.failingSince)
  }
  if (hook.hookType === "webhook") return { ...common, destination: hook.destination }
  return {
    ...common,
    email_from: hook.emailFrom,
    email_from_name: hook.emailFromName,
    email_renderer: hook.emailRenderer,
    email_subject: hook.emailSubject,
    email_template: hook.emailTemplate,
    email_to: hook.emailTo,
    user_type: hook.userType
  }
}

/** The row for a new hook, with its encrypted secret. */
export const newHookRow = (hook: AppHook, secret: string | null): Record<string, unknown> => ({
  realm_id: storedRealm(hook.realmId),
  id: hook.id,
  version: hook.version,
  hook_type: hook.hookType,
  default_of: hook.hookType === "email" ? hook.defaultOf : null,
  created_at: date(hook.createdAt),
  secret,
  ...mutableHookColumns(hook)
})
