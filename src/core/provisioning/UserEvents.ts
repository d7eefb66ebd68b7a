import { Effect } from "effect"
import type { EventType } from "#domain/Event"
import { isUpdate } from "#domain/EventChanges"
import type { TokenKind } from "#domain/OneTimeToken"
import type { User } from "#domain/User"
import type { NewEvent } from "../events/Journal.ts"
import type { OneTimeTokens } from "../tokens/OneTimeTokens.ts"

/** The kind of token that an event carries, which proves an address. */
const tokenKinds: Partial<Record<EventType, TokenKind>> = {
  "user.email.verifying": "tve:",
  "user.email.updating": "tue:"
}

/** Whether an event of this type carries a token. */
export const carriesToken = (type: EventType): boolean => tokenKinds[type] !== undefined

/** What is new about a user who existed before. */
interface Update {
  /** The current address, which gets a notice about a new one. */
  readonly previousEmail: string | null
  /** The changed members. */
  readonly changed: ReadonlyArray<string>
}

/** The events of a new or changed user, with the tokens they carry, inside the transaction of the change. */
export const userEvents = (
  tokens: OneTimeTokens["Service"],
  user: User,
  types: ReadonlyArray<EventType>,
  { previousEmail, changed }: Update = { previousEmail: null, changed: [] }
) =>
  Effect.forEach(types, (eventType): Effect.Effect<NewEvent> => {
    if (isUpdate(eventType)) return Effect.succeed({ eventType, userId: user.id, changed })
    const kind = tokenKinds[eventType]
    const hasPreviousEmail = eventType === "user.email.updating" && previousEmail !== null
    const event = { eventType, userId: user.id, ...(hasPreviousEmail ? { previousEmail } : {}) }
    if (kind === undefined) return Effect.succeed(event)
    return Effect.map(tokens.issue(kind, user, "mail"), ({ id }) => ({ ...event, tokenId: id }))
  })
