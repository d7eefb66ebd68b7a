import { Effect, type Schema } from "effect"
import type { newUserFieldsV1 } from "#api/provisioning/Fields"
import type { NewUser } from "#core/provisioning/NewUsers"
import { type Rejected, rejected } from "#domain/Rejected"
import { presence } from "#domain/Text"
import { newUserOf as newUserOfEither } from "./NewUsers.ts"

type Sent = Schema.Struct<typeof newUserFieldsV1>["Type"]

/** The signup token a caller sent of a user: a blank one is none. */
export const signupTokenOf = (sent: Pick<Sent, "token">): string | undefined =>
  presence(sent.token ?? null) ?? undefined

/** A new user as a caller of `/v1` sent it: of a type, and with a username. Who signed up is human. */
export const newUserOf = Effect.fnUntraced(function* (sent: Sent): Effect.fn.Return<NewUser, Rejected> {
  const userType = sent.user_type ?? (signupTokenOf(sent) === undefined ? undefined : "human")
  if (userType === undefined) return yield* rejected("user_type", "blank")
  return yield* newUserOfEither(sent, { userType, usernameRequired: true })
})
