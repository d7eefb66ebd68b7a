import { Effect } from "effect"
import type { UserEventType } from "#domain/Event"
import { isUpdate } from "#domain/EventChanges"
import type { OneTimeTokenKind } from "#domain/OneTimeToken"
import type { User } from "#domain/User"
import type { NewEvent } from "../events/NewEvent.ts"
import type { OneTimeTokens } from "../tokens/OneTimeTokens.ts"

/** The kind of token that an event carries to verify an email. */
const tokenKinds: Partial<Record<UserEventType, OneTimeTokenKind>> = {
  "user.email.verifying": "tve:",
  "user.email.updating": "tue:"
}

/** Returns whether events of this type carry a token. */
export const carriesToken = (type: UserEventType): boolean => tokenKinds[type] !== undefined

/** The changes of an existing user. */
interface Update {
  /** The current email, which receives a notice about the new one. */
  readonly previousEmail: string | null
  /** The changed members. */
  readonly changed: ReadonlyArray<string>
}

const eventOf = ({ id: userId }: User, eventType: UserEventType, { previousEmail, changed }: Update): NewEvent => {
  if (isUpdate(eventType)) return { eventType, userId, changed }
  const hasPreviousEmail = eventType === "user.email.updating" && previousEmail !== null
  return { eventType, userId, ...(hasPreviousEmail ? { previousEmail } : {}) }
}

/**
 * Makes the events of a new or changed user, and issues the tokens that they carry. Call it inside the transaction of the
 * change.
 */
export const userEvents = (
  tokens: OneTimeTokens["Service"],
  user: User,
  types: ReadonlyArray<UserEventType>,
  update: Update = { previousEmail: null, changed: [] }
): Effect.Effect<ReadonlyArray<NewEvent>> => {
  if (!types.some(carriesToken)) return Effect.succeed(types.map((type) => eventOf(user, type, update)))
  return Effect.forEach(types, (type) => {
    const event = eventOf(user, type, update)
    const kind = tokenKinds[type]
    if (kind === undefined) return Effect.succeed(event)
    return Effect.map(tokens.issue(kind, user, "mail"), ({ id }) => ({ ...event, tokenId: id }))
  })
}
