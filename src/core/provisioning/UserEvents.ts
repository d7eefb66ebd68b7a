import { Effect } from "effect"
import type { EventType } from "#domain/Event"
import type { TokenKind } from "#domain/OneTimeToken"
import type { User } from "#domain/User"
import type { NewEvent } from "../events/Journal.ts"
import type { OneTimeTokens } from "../tokens/OneTimeTokens.ts"

/** The tokens that events hand to whoever mails the user: the proofs of an address. */
const carried: Partial<Record<EventType, TokenKind>> = {
  "user.email.verifying": "tve:",
  "user.email.updating": "tue:"
}

/**
 * The events of a user as it is after its change, with the tokens they carry. Inside the transaction of the change.
 * `addressBefore`: the e-mail of a user who was there before, who is told at that address of another one.
 */
export const userEvents = (
  tokens: OneTimeTokens["Service"],
  user: User,
  types: ReadonlyArray<EventType>,
  addressBefore: string | null = null
) =>
  Effect.forEach(types, (eventType): Effect.Effect<NewEvent> => {
    const kind = carried[eventType]
    const leaves = eventType === "user.email.updating" && addressBefore !== null
    const happening = { eventType, userId: user.id, ...(leaves ? { addressBefore } : {}) }
    if (kind === undefined) return Effect.succeed(happening)
    return Effect.map(tokens.issue(kind, user, "mail"), ({ id }) => ({ ...happening, tokenId: id }))
  })
