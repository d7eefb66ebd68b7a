import { Data, type DateTime } from "effect"
import { type AccountNotice, accountMail, isAccountMail } from "./AccountNotice.ts"
import { type DefaultMailName, EMAIL_CHANGE_NOTICE } from "./DefaultMail.ts"
import { type EventType, type Version, visibleTypes } from "./Event.ts"
import type { HookId, RealmId } from "./Ids.ts"

export const hookTypes = ["webhook", "email"] as const

export type HookType = (typeof hookTypes)[number]

export const hookStates = ["active", "inactive"] as const

export type HookState = (typeof hookStates)[number]

/** How the template of an email hook is rendered (`v1.hook`). */
export const emailRenderers = ["html", "html+text", "markdown", "text"] as const

export type EmailRenderer = (typeof emailRenderers)[number]

export const hookUserTypes = ["all", "human", "api"] as const

/** The maximum delay before the first attempt, in seconds: 30 days. */
export const MAX_DELAY_SECONDS = 2_592_000

/** The maximum length of a template, in characters: 16 KiB (SEC-83). */
export const MAX_TEMPLATE_LENGTH = 16_384

interface HookBase {
  readonly id: HookId
  /** The hook's realm, or null if it receives the events of all realms. */
  readonly realmId: RealmId | null
  /** The API version that created the hook. Payloads use the names of that version. */
  readonly version: Version
  readonly state: HookState
  /** The event types the hook receives, by their stored names. If empty, it receives every type, including types added later. */
  readonly eventTypes: ReadonlyArray<EventType>
  /** Seconds between the event and the first attempt. */
  readonly delay: number
  readonly createdAt: DateTime.Utc
  /** When the current series of failed attempts began, or null if the last attempt succeeded. */
  readonly failingSince: DateTime.Utc | null
}

/** A hook that posts events to a destination URL. */
export interface Webhook extends HookBase {
  readonly hookType: "webhook"
  readonly destination: string
}

/** A hook that emails the user or invitee an event is about. */
export interface EmailHook extends HookBase {
  readonly hookType: "email"
  readonly emailFrom: string | null
  readonly emailFromName: string | null
  readonly emailRenderer: EmailRenderer
  /** Null in a default email (`defaultOf`), which uses the built-in text in the recipient's language. So is `emailTemplate`. */
  readonly emailSubject: string | null
  readonly emailTemplate: string | null
  readonly emailTo: string | null
  readonly userType: (typeof hookUserTypes)[number]
  /** The default email this hook sends, or null if a caller created the hook. */
  readonly defaultOf: DefaultMailName | null
}

/** A subscription to events, delivered by webhook or email (`v1.hook`). */
export type AppHook = Webhook | EmailHook

/** The properties of an event that decide which hooks receive it. */
export interface EventSummary {
  readonly eventType: EventType
  /** Whether the token of a password reset is sent by email. If not, its caller sends it. */
  readonly isMailed?: boolean
  /** The user's current email, if the event is a new request to change it. */
  readonly previousEmail?: string
  /** The notice to send, if the event is a user's own change of a login method. */
  readonly notice?: AccountNotice | undefined
}

/** The fields of a hook that decide which events it receives. */
export interface HookSubscription
  extends Pick<AppHook, "id" | "realmId" | "version" | "eventTypes" | "hookType" | "delay"> {
  readonly defaultOf: DefaultMailName | null
}

/** Returns whether a hook receives an event. The type must match, and the hook's API version must know the type. */
export const isSubscribed = (
  hook: HookSubscription,
  { eventType, isMailed = false, previousEmail, notice }: EventSummary
): boolean => {
  if (hook.eventTypes.length > 0 && !hook.eventTypes.includes(eventType)) return false
  // If a backend requested the token, that backend sends the email instead of the default hook (C27).
  if (eventType === "user.password.resetting" && hook.defaultOf === eventType && !isMailed) return false
  // The confirmation email can be requested repeatedly, but the notice to the old address is sent only once per change.
  if (hook.defaultOf === EMAIL_CHANGE_NOTICE && previousEmail === undefined) return false
  if (hook.defaultOf !== null && isAccountMail(hook.defaultOf))
    return notice !== undefined && hook.defaultOf === accountMail(notice)
  return visibleTypes(hook.version).includes(eventType)
}

/**
 * Returns whether callers of an API version may create an email hook for this event type. The event must concern a person
 * with an email address.
 */
export const isMailable = (type: EventType, version: Version): boolean =>
  type.startsWith("user.") || (version === "v2" && type.startsWith("invitation."))

export class HookNotFound extends Data.TaggedError("HookNotFound")<{ readonly id: string }> {}

/** The hook is inactive, so it sends nothing. */
export class HookInactive extends Data.TaggedError("HookInactive")<{ readonly id: HookId }> {}
