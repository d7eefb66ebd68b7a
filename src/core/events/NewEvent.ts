import type { EventSummary } from "#domain/AppHook"
import type { EventType, RelatedIds } from "#domain/Event"
import type { UpdateType } from "#domain/EventChanges"
import type { EventDetails } from "#domain/EventDetails"
import type { LoginFailure } from "#domain/LoginFailure"
import type { LoginMethod } from "#domain/LoginMethod"
import type { SessionEnd } from "#domain/Session"

interface EventSubject extends RelatedIds, EventSummary {
  /** The ID of the one-time token that is delivered with the event. */
  readonly tokenId?: string
}

/** The event types with details, and the required details of each type. */
interface DetailsOf {
  readonly "session.deleted": { readonly reason: SessionEnd }
  readonly "user.login.succeeded": { readonly methods: ReadonlyArray<LoginMethod> }
  readonly "user.login.failed": Pick<EventDetails, "attempts" | "names"> & { readonly reason: LoginFailure }
  readonly "domain.check_failed": Required<Pick<EventDetails, "domain">>
  readonly "domain.created": Required<Pick<EventDetails, "domain">>
  readonly "domain.deleted": Required<Pick<EventDetails, "domain">>
  readonly "domain.lost": Required<Pick<EventDetails, "domain">>
  readonly "domain.recovered": Required<Pick<EventDetails, "domain">>
  readonly "domain.verified": Required<Pick<EventDetails, "domain">>
  readonly "operator.created": Required<Pick<EventDetails, "operator">>
  readonly "operator.deleted": Required<Pick<EventDetails, "operator">>
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

/** An event to record. Events of updates list the changed members. The actor is taken from the context. */
export type NewEvent = EventSubject &
  (
    | Detailed
    | {
        readonly eventType: UpdateType
        readonly changed: ReadonlyArray<string>
        readonly details?: Pick<EventDetails, "operator">
      }
    | {
        readonly eventType: Exclude<EventType, UpdateType | keyof DetailsOf>
        readonly changed?: never
        readonly details?: never
      }
  )

/** The event of a session that ended before it expired. */
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
