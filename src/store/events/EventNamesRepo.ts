import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId } from "#domain/Ids"

/** The name of a resource. */
export interface ResourceName {
  readonly id: string
  readonly name: string
}

/** Looks up the names of the resources that events refer to, except users. */
export class EventNamesRepo extends Context.Service<
  EventNamesRepo,
  {
    /**
     * Returns the names of the orgs, invitations (their email), apps, auth providers (their name or type), webhooks (their
     * destination) with these ids in a realm, and of API keys of the realm or, if `ofAllRealms`, of all realms.
     */
    find(
      realmId: RealmId,
      ids: ReadonlyArray<string>,
      keys: { readonly ids: ReadonlyArray<string>; readonly ofAllRealms: boolean }
    ): Effect.Effect<ReadonlyArray<ResourceName>>
  }
>()("sallyport/store/EventNamesRepo") {
  static readonly layer = Layer.effect(
    EventNamesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return EventNamesRepo.of({
        find: (realmId, ids, keys) =>
          sql<ResourceName>`
            select id, name from orgs where realm_id = ${realmId} and id = any(${ids}::text[])
            union all select id, email from invitations where realm_id = ${realmId} and id = any(${ids}::text[])
              and email is not null
            union all select id, name from login_policies where realm_id = ${realmId} and id = any(${ids}::text[])
            union all select id, coalesce(name, provider_type) from auth_providers
              where realm_id = ${realmId} and id = any(${ids}::text[])
            union all select id, destination from app_hooks where realm_id = ${realmId} and id = any(${ids}::text[])
              and destination is not null
            union all select id, name from api_keys
              where (realm_id = ${realmId} or ${keys.ofAllRealms}::boolean and realm_id is null)
                and id = any(${keys.ids}::text[])`.pipe(Effect.orDie)
      })
    })
  )
}
