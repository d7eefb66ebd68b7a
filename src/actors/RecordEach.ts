import { Effect } from "effect"
import type { Journal, NewEvent } from "#core/events/Journal"
import type { RealmId } from "#domain/Ids"

/** Records what happened to each of some things, in the realm of each: one statement for each realm. */
export const recordEach = <Thing extends { readonly realmId: RealmId }>(
  journal: Journal["Service"],
  things: ReadonlyArray<Thing>,
  happening: (thing: Thing) => NewEvent
) => {
  const byRealm = Map.groupBy(things, ({ realmId }) => realmId)
  // The things were claimed with their realms alive; one deleted since undoes the claim, and its things go with it.
  return Effect.forEach(byRealm, ([realmId, some]) => Effect.orDie(journal.recordIn(realmId, some.map(happening))), {
    discard: true
  })
}
