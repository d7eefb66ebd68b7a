import { Context, Effect } from "effect"
import { Caller } from "#domain/Caller"
import { allows } from "#domain/Level"
import { CurrentRealm } from "#domain/Realm"

/** A login token as far as the caller may see it: a realm can hide it from `read` keys, since its holder acts as the user. */
export const readableToken = (token: string) =>
  Effect.contextWith((context: Context.Context<CurrentRealm | Caller>) => {
    const { sessionTokens } = Context.get(context, CurrentRealm)
    const { level } = Context.get(context, Caller)
    return Effect.succeed(sessionTokens === "all" || allows(level, "write") ? token : null)
  })
