import type { EventSummary } from "#domain/AppHook"
import type { EventType, RelatedIds } from "#domain/Event"
import type { UpdateType } from "#domain/EventChanges"
import type { EventDetails } from "#domain/EventDetails"
import type { LoginFailure } from "#domain/LoginFailure"
import type { SessionEnd } from "#domain/Session"

interface EventSubject extends RelatedIds, EventSummary {
  /** The id of the one-time token that the event carries. */
  readonly tokenId?: string
}

/** The event types that have details, and the required details of each. */
interface DetailsOf {
  readonly "session.deleted": { readonly reason: SessionEnd }
  readonly "user.login.failed": Pick<EventDetails, "attempts" | "names"> & { readonly reason: LoginFailure }
  readonly "realm.imported": Required<Pick<EventDetails, "import">>
  readonly "realm.reset": Required<Pick<EventDetails, "reset">>
}

type Detailed = {
  readonly [Type in keyof DetailsOf]: {
    readonly eventType: Type
    readonly details: DetailsOf[Type]
    readonly changed?: never
  }
}[keyof DetailsOf]

/** An event to record. Updates name the members that have changed. The actor is known from the call. */
export type NewEvent = EventSubject &
  (
    | Detailed
    | { readonly eventType: UpdateType; readonly changed: ReadonlyArray<string>; readonly details?: never }
    | {
        readonly eventType: Exclude<EventType, UpdateType | keyof DetailsOf>
        readonly changed?: never
        readonly details?: never
      }
  )

/** The event of a session that was ended before it expired. */
export const sessionEvent = (userId: string, sessionId: string, reason: SessionEnd): NewEvent => ({
  eventType: "session.deleted",
  userId,
  sessionId,
  details: { reason }
})

/** The event of a login that failed. */
export const loginFailed = (userId: string, reason: LoginFailure): NewEvent => ({
  eventType: "user.login.failed",
  userId,
  details: { reason }
})
