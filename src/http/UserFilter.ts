import { Effect } from "effect"
import { Users } from "#core/users/Users"
import type { Version } from "#domain/Event"
import type { CurrentRealm } from "#domain/Realm"

/**
 * Resolves the user by which a list is filtered: by ID or email, under `/v1` also by username. The text of an unknown user is
 * used unchanged, and matches nothing (C96).
 */
export const makeUserFilter = Effect.fnUntraced(function* (version: Version) {
  const users = yield* Users
  const idOf = version === "v2" ? users.resolve : users.idOfLogin
  return (name: string | undefined): Effect.Effect<string | undefined, never, CurrentRealm> =>
    name === undefined
      ? Effect.succeed(undefined)
      : Effect.catchTag(idOf(name), "UserNotFound", () => Effect.succeed(name))
})
