import type { EventItem } from "#client/generated/types/EventItem"
import { type EventType, eventTypes, resultOf } from "#domain/Event"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { eventTexts } from "./EventTexts.ts"
import { useLoginText } from "./LoginMethods.ts"
import { memberWords } from "./MemberTexts.ts"

/** Returns a function that describes an event type. Types of a newer release are shown by name. */
export const useEventName = (): ((type: string) => string) => {
  const texts: Readonly<Record<string, string>> = useTexts(eventTexts)
  return (type) => texts[type] ?? type
}

/** Returns a function that describes an event by its type and, for logins, by their methods. */
export const useEventTitle = (): ((event: Pick<EventItem, "event_type" | "methods">) => string) => {
  const nameOf = useEventName()
  const loginText = useLoginText()
  return ({ event_type, methods = [] }) => (methods.length === 0 ? nameOf(event_type) : loginText(methods))
}

const isEventType = (type: string): type is EventType => eventTypes.some((one) => one === type)

const goodTypes: ReadonlySet<string> = new Set(["user.created", "user.login.succeeded", "user.email.verified"])

/** Losses are marked like failures. */
const lossTypes: ReadonlySet<string> = new Set(["user.deleted", "org.deleted", "realm.reset"])

/** The color that marks an event: `bad`, `good` or, for most events, none. */
export const toneOf = (type: string): "good" | "bad" | "plain" =>
  lossTypes.has(type) || (isEventType(type) && resultOf(type) === "failed")
    ? "bad"
    : goodTypes.has(type)
      ? "good"
      : "plain"

/** Returns a function that lists changed members in the user's language. */
export const useMemberList = (): ((changed: ReadonlyArray<string>) => string) => {
  const { language } = useLanguage()
  return (changed) => changed.map((member) => memberWords(language, member)).join(", ")
}
