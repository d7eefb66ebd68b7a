import { Context, Effect } from "effect"
import { Caller } from "#domain/Caller"
import { allows } from "#domain/Level"
import { CurrentRealm } from "#domain/Realm"

/**
 * Returns a login token if the caller may see it. A realm can hide login tokens from `read` keys, because anyone with the
 * token can act as the user.
 */
export const readableToken = (token: string) =>
  Effect.contextWith((context: Context.Context<CurrentRealm | Caller>) => {
    const { sessionTokens } = Context.get(context, CurrentRealm)
    const { level } = Context.get(context, Caller)
    return Effect.succeed(sessionTokens === "all" || allows(level, "write") ? token : null)
  })
