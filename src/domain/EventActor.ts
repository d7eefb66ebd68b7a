import { Context, Effect } from "effect"
import { Caller } from "./Caller.ts"
import type { AppId, UserId } from "./Ids.ts"

export const actorTypes = ["api_key", "operator", "user", "client_app", "system"] as const

/**
 * The actor that caused an event (C64): an API key, an operator in the console, an authenticated user, an app, or the service.
 * An app stands in for unidentified visitors on its pages and for the OAuth client itself. `id` is the id of the key, operator,
 * user or app, or the name of the background job, or null if there is none. `email` is the operator's at the time of the event.
 */
export interface EventActor {
  readonly type: (typeof actorTypes)[number]
  readonly id: string | null
  readonly email?: string
}

/** The actor for the calls of a caller. */
const actorOf = ({ by }: Caller["Service"]): EventActor =>
  by.type === "api_key" ? { type: "api_key", id: by.id } : { type: "operator", id: by.id, email: by.email }

/** The actor of a call without an API key. In hosted login, a visitor can become an authenticated user during a request. */
export const CurrentActor = Context.Reference<{ actor: EventActor }>("sallyport/domain/CurrentActor", {
  defaultValue: () => ({ actor: { type: "system", id: null } })
})

/** An unidentified visitor in hosted login. `appId` is null on a realm's own pages. */
export const visitorOf = (appId: AppId | null): { actor: EventActor } => ({
  actor: { type: "client_app", id: appId }
})

/** The actor of a call. If a caller logs a user in, the actor is the caller. */
export const actorIn = (context: Context.Context<never>): EventActor => {
  const caller = Context.getOption(context, Caller)
  return caller._tag === "Some" ? actorOf(caller.value) : Context.get(context, CurrentActor).actor
}

/** The actor of the current call. */
export const currentActor: Effect.Effect<EventActor> = Effect.contextWith((context: Context.Context<never>) =>
  Effect.succeed(actorIn(context))
)

/** Returns whether the actor is a visitor or a user in hosted login. */
export const isPerson = ({ type }: EventActor): boolean => type === "client_app" || type === "user"

/** Makes a user the actor for the rest of a visitor's request. Call it once the user is authenticated. */
export const identifyUser = (userId: UserId): Effect.Effect<void> =>
  Effect.map(CurrentActor, (current) => {
    if (isPerson(current.actor)) current.actor = { type: "user", id: userId }
  })

/** Makes an OAuth client the actor for the rest of its request. Call it once the client is authenticated. */
export const identifyClient = (clientId: AppId): Effect.Effect<void> =>
  Effect.map(CurrentActor, (current) => {
    current.actor = { type: "client_app", id: clientId }
  })

/** Runs an operation with a user as its actor. The operation must record events only if the user is authenticated. */
export const actAs =
  (userId: UserId) =>
  <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(CurrentActor, (current) =>
      isPerson(current.actor)
        ? Effect.provideService(operation, CurrentActor, { actor: { type: "user", id: userId } })
        : operation
    )
