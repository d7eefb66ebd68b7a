import { Context, Effect } from "effect"
import { Caller } from "./Caller.ts"
import type { AppId, UserId } from "./Ids.ts"

export const actorTypes = ["api_key", "user", "client_app", "system"] as const

/**
 * Who caused an event (C64): an API key; a user who proved who they are; on the pages of a connected app, a person
 * who has not; or the service by itself. `id`: of the key, the user or the app, or the name of the background job; null
 * where there is none.
 */
export interface EventActor {
  readonly type: (typeof actorTypes)[number]
  readonly id: string | null
}

/** Who acts in a call without an API key. A person at hosted login becomes a user in the course of a request. */
export const CurrentActor = Context.Reference<{ actor: EventActor }>("sallyport/domain/CurrentActor", {
  defaultValue: () => ({ actor: { type: "system", id: null } })
})

/** A person at hosted login whom nobody knows yet. `appId`: null on the pages of a realm. */
export const visitorOf = (appId: AppId | null): { actor: EventActor } => ({
  actor: { type: "client_app", id: appId }
})

/** The actor of a call. An API key acts whomever it logs in. */
export const actorIn = (context: Context.Context<never>): EventActor => {
  const caller = Context.getOption(context, Caller)
  return caller._tag === "Some" ? { type: "api_key", id: caller.value.keyId } : Context.get(context, CurrentActor).actor
}

/** The actor of the current call. */
export const currentActor: Effect.Effect<EventActor> = Effect.contextWith((context: Context.Context<never>) =>
  Effect.succeed(actorIn(context))
)

/** Whether a person acts, at hosted login. */
export const isPerson = ({ type }: EventActor): boolean => type === "client_app" || type === "user"

/** Makes a user the actor of what remains of a person's request: to be called once the user is proved. */
export const identify = (userId: UserId): Effect.Effect<void> =>
  Effect.map(CurrentActor, (current) => {
    if (isPerson(current.actor)) current.actor = { type: "user", id: userId }
  })

/** Makes an OAuth client the actor of what remains of its request: to be called once it is authenticated. */
export const identifyClient = (clientId: AppId): Effect.Effect<void> =>
  Effect.map(CurrentActor, (current) => {
    current.actor = { type: "client_app", id: clientId }
  })

/** Makes a user the actor of an operation that records only what is so if the user is proved. */
export const actAs =
  (userId: UserId) =>
  <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(CurrentActor, (current) =>
      isPerson(current.actor)
        ? Effect.provideService(operation, CurrentActor, { actor: { type: "user", id: userId } })
        : operation
    )
