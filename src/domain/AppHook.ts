import { Data, type DateTime } from "effect"
import { type EventType, type Version, visibleTypes } from "./Event.ts"
import type { HookId, RealmId } from "./Ids.ts"

export const hookTypes = ["webhook", "email"] as const

export type HookType = (typeof hookTypes)[number]

export const hookStates = ["active", "inactive"] as const

export type HookState = (typeof hookStates)[number]

/** How an e-mail hook's template is used (api-v1 section 2, "App hook"). */
export const emailRenderers = ["html", "html+text", "markdown", "text"] as const

export type EmailRenderer = (typeof emailRenderers)[number]

export const hookUserTypes = ["all", "human", "api"] as const

/** The longest delay before the first attempt, in seconds: 30 days. */
export const MOST_DELAY = 2_592_000

/** The longest template, in characters: 16 KiB (SEC-83). */
export const TEMPLATE_LENGTH = 16_384

interface Common {
  readonly id: HookId
  /** Null: it hears the events of all realms. */
  readonly realmId: RealmId | null
  /** Whose names the hook's payload has: those of the version that made it. */
  readonly version: Version
  readonly state: HookState
  /** What it hears, by the stored names; none: everything, future types included. */
  readonly eventTypes: ReadonlyArray<EventType>
  /** Seconds before the first attempt. */
  readonly delay: number
  readonly createdAt: DateTime.Utc
  /** Since when every attempt has failed. */
  readonly failingSince: DateTime.Utc | null
}

/** A hook that posts events to a destination. */
export interface Webhook extends Common {
  readonly hookType: "webhook"
  readonly destination: string
}

/** A hook that mails the user, or the invitee, of an event. */
export interface EmailHook extends Common {
  readonly hookType: "email"
  readonly emailFrom: string | null
  readonly emailFromName: string | null
  readonly emailRenderer: EmailRenderer
  /** Null, where `defaultOf` is given: this release's own text, in the language of who gets it. So for the template. */
  readonly emailSubject: string | null
  readonly emailTemplate: string | null
  readonly emailTo: string | null
  readonly userType: (typeof hookUserTypes)[number]
  /** The default mail that this hook is; null for one that a caller made. */
  readonly defaultOf: DefaultMailName | null
}

/** Sends what happens out: as a webhook or as an e-mail (api-v1 section 2, "App hook"). */
export type AppHook = Webhook | EmailHook

/** The mail that tells the address an account has that another one was asked for (SEC-90). */
export const ADDRESS_NOTICE = "user.email.updating:current"

/** The mails that a realm begins with (decision 39), each by its event; of one event there are two. */
export const defaultMails = [
  "invitation.org.invited",
  "invitation.preverify.invited",
  "invitation.referral.invited",
  "invitation.request.invited",
  "user.email.verifying",
  "user.email.updating",
  ADDRESS_NOTICE,
  "user.password.resetting"
] as const satisfies ReadonlyArray<EventType | typeof ADDRESS_NOTICE>

export type DefaultMailName = (typeof defaultMails)[number]

/** The event that a default mail tells of. */
export const eventOfMail = (name: DefaultMailName): EventType =>
  name === ADDRESS_NOTICE ? "user.email.updating" : name

/** What an event is to the hooks that may hear it. */
export interface Heard {
  readonly eventType: EventType
  /** Whether the user asked for it themselves, by hosted login. */
  readonly byUser?: boolean
  /** The address that the user had, of a change that was asked for just now. */
  readonly addressBefore?: string
}

/** As much of a hook as tells what it hears. */
export interface Listener extends Pick<AppHook, "id" | "realmId" | "version" | "eventTypes" | "hookType" | "delay"> {
  readonly defaultOf: DefaultMailName | null
}

/** Whether a hook hears an event: one of its types, with a name in its version, asked for by the user where only that is mailed. */
export const hears = (hook: Listener, { eventType, byUser = false, addressBefore }: Heard): boolean => {
  if (hook.eventTypes.length > 0 && !hook.eventTypes.includes(eventType)) return false
  // The default hook mails no reset that a backend will mail by itself (decision 27).
  if (eventType === "user.password.resetting" && hook.defaultOf === eventType && !byUser) return false
  // The mail with the link may be asked for again; the address from before is told once of each change.
  if (hook.defaultOf === ADDRESS_NOTICE && addressBefore === undefined) return false
  return visibleTypes(hook.version).includes(eventType)
}

/** Whether an e-mail hook that a version's callers make may have this type: it must concern somebody with an e-mail. */
export const isMailable = (type: EventType, version: Version): boolean =>
  type.startsWith("user.") || (version === "v2" && type.startsWith("invitation."))

export class HookNotFound extends Data.TaggedError("HookNotFound")<{ readonly id: string }> {}

/** The hook is inactive: it sends nothing. */
export class HookInactive extends Data.TaggedError("HookInactive")<{ readonly id: HookId }> {}
