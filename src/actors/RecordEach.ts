import { Effect } from "effect"
import type { Journal } from "#core/events/Journal"
import type { NewEvent } from "#core/events/NewEvent"
import type { RealmId } from "#domain/Ids"

/** Records an event for each item in its realm, with one statement per realm. */
export const recordEach = <Item extends { readonly realmId: RealmId }>(
  journal: Journal["Service"],
  items: ReadonlyArray<Item>,
  eventOf: (item: Item) => NewEvent
) => {
  const byRealm = Map.groupBy(items, ({ realmId }) => realmId)
  // The realms existed when the items were claimed. If one has been deleted since, the claim is rolled back.
  return Effect.forEach(byRealm, ([realmId, some]) => Effect.orDie(journal.recordIn(realmId, some.map(eventOf))), {
    discard: true
  })
}
