import { Context, Effect, Layer } from "effect"
import { Caller } from "#domain/Caller"
import type { Event } from "#domain/Event"
import { isId } from "#domain/Ids"
import { allows } from "#domain/Level"
import { CurrentRealm } from "#domain/Realm"
import { visibleUser } from "#domain/User"
import { EventNamesRepo } from "#store/events/EventNamesRepo"
import { UsersRepo } from "#store/users/UsersRepo"

/** The display names of resources, by id. */
export type Names = ReadonlyMap<string, string>

/** The ids of the resources and the actor that an event names. */
export const idsIn = (event: Event): ReadonlyArray<string> =>
  [
    event.userId,
    event.orgId,
    event.invitationId,
    event.appId,
    event.authProviderId,
    event.hookId,
    event.apiKeyId,
    event.actor.id
  ].filter((id) => id !== null)

/** The operators that an event names, with their emails at the time. Operators are users of no realm that a caller sees. */
const operatorsIn = ({
  actor,
  details,
  userId
}: Event): ReadonlyArray<{ readonly id: string; readonly name: string }> => [
  ...(actor.id === null || actor.email === undefined ? [] : [{ id: actor.id, name: actor.email }]),
  ...(userId === null || details.operator === undefined ? [] : [{ id: userId, name: details.operator.email }])
]

/** Names the resources and actors of events, all events of a page together. */
export class EventNames extends Context.Service<
  EventNames,
  {
    /**
     * Returns the display names of existing resources. The names of API keys require level `admin_realm`, and those of keys for
     * all realms also a key that isn't locked to a realm.
     */
    of(events: ReadonlyArray<Event>): Effect.Effect<Names, never, CurrentRealm | Caller>
  }
>()("sallyport/core/EventNames") {
  static readonly layer = Layer.effect(
    EventNames,
    Effect.gen(function* () {
      const repo = yield* EventNamesRepo
      const users = yield* UsersRepo

      const of = Effect.fn("EventNames.of")(function* (events: ReadonlyArray<Event>) {
        const ids = [...new Set(events.flatMap(idsIn))]
        if (ids.length === 0) return new Map<string, string>()
        const [realm, caller] = [yield* CurrentRealm, yield* Caller]
        const idsOf = <K extends "user" | "apiKey">(kind: K) => ids.filter((id) => isId(kind, id))
        const keyIds = allows(caller.level, "admin_realm") ? idsOf("apiKey") : []
        const [people, others] = yield* Effect.all(
          [
            users.findMany(realm.id, idsOf("user")),
            repo.find(realm.id, ids, { ids: keyIds, ofAllRealms: caller.realmId === null })
          ],
          { concurrency: 2 }
        )
        return new Map(
          [...people.map((user) => visibleUser(realm, user)), ...others, ...events.flatMap(operatorsIn)].map(
            ({ id, name }) => [id, name]
          )
        )
      })

      return EventNames.of({ of })
    })
  )
}
