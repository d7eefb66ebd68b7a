import { Context, Effect } from "effect"
import { Caller } from "#domain/Caller"
import { allows } from "#domain/Level"
import { CurrentRealm } from "#domain/Realm"

/**
 * A login token, if the caller may see it. A realm can hide it from `read` keys, because anyone who has it can act as the
 * user.
 */
export const readableToken = (token: string) =>
  Effect.contextWith((context: Context.Context<CurrentRealm | Caller>) => {
    const { sessionTokens } = Context.get(context, CurrentRealm)
    const { level } = Context.get(context, Caller)
    return Effect.succeed(sessionTokens === "all" || allows(level, "write") ? token : null)
  })
