import { Context, Effect } from "effect"
import { Caller } from "#domain/Caller"
import { allows } from "#domain/Level"
import { CurrentRealm } from "#domain/Realm"

/**
 * Returns a login token if the caller may see it. A realm can hide login tokens from `read` keys, because anyone with the
 * token can act as the user. They are always hidden from operators below `write`, who could otherwise act as users (SEC-282).
 */
export const readableToken = (token: string) =>
  Effect.contextWith((context: Context.Context<CurrentRealm | Caller>) => {
    const { sessionTokens } = Context.get(context, CurrentRealm)
    const { by, level } = Context.get(context, Caller)
    const isShownToAll = sessionTokens === "all" && by.type === "api_key"
    return Effect.succeed(isShownToAll || allows(level, "write") ? token : null)
  })
