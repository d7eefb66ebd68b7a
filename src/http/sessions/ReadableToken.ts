import { Effect } from "effect"
import { allows, Caller } from "#domain/Caller"
import { CurrentRealm } from "#domain/Realm"

/** A fresh token as the caller may have it: who holds it is the user, so that a realm can keep it from `read` keys. */
export const readableToken = Effect.fnUntraced(function* (token: string) {
  const realm = yield* CurrentRealm
  const caller = yield* Caller
  return realm.sessionTokens === "all" || allows(caller.level, "write") ? token : null
})
