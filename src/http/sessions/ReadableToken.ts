import { Effect } from "effect"
import { allows, Caller } from "#domain/Caller"
import { CurrentRealm } from "#domain/Realm"

/** A login token as far as the caller may see it: a realm can hide it from `read` keys, since its holder acts as the user. */
export const readableToken = Effect.fnUntraced(function* (token: string) {
  const realm = yield* CurrentRealm
  const caller = yield* Caller
  return realm.sessionTokens === "all" || allows(caller.level, "write") ? token : null
})
