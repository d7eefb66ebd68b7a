import { Effect } from "effect"
import { Users } from "#core/users/Users"
import type { Version } from "#domain/Event"
import type { CurrentRealm } from "#domain/Realm"

/**
 * Resolves the user that a list is filtered by: an ID or email, or under `/v1` also a username. If no user is found, the
 * filter uses the given text, which matches nothing (C96).
 */
export const makeUserFilter = Effect.fnUntraced(function* (version: Version) {
  const users = yield* Users
  const idOf = version === "v2" ? users.resolve : users.idOfLogin
  return (name: string | undefined): Effect.Effect<string | undefined, never, CurrentRealm> =>
    name === undefined
      ? Effect.succeed(undefined)
      : Effect.catchTag(idOf(name), "UserNotFound", () => Effect.succeed(name))
})
