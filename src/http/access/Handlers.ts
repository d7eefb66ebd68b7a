import { Effect, Layer } from "effect"
import { HttpApiBuilder, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { NamedRealm } from "#api/Access"
import { Api } from "#api/Api"
import type { ApiKeyBody, ApiKeysV1 } from "#api/access/Endpoints"
import { ApiKeys } from "#core/access/ApiKeys"
import type { ApiKey } from "#domain/ApiKey"
import type { RealmId } from "#domain/Ids"
import { problem } from "#domain/Rejected"
import { presence } from "#domain/Text"
import { invalid, words } from "../Errors.ts"
import { maybeTimeT, pageAsked, timeT, utcOf } from "../WireMapping.ts"

const body = (key: ApiKey): typeof ApiKeyBody.Type => ({
  id: key.id,
  object: "api_key",
  name: key.name,
  level: key.level,
  realm_id: key.realmId,
  created_at: timeT(key.createdAt),
  expires_at: maybeTimeT(key.expiresAt),
  last_used_at: maybeTimeT(key.lastUsedAt)
})

/** What a request of either version says. */
type Asked<Operation extends string> = Omit<
  HttpApiEndpoint.Request<HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<typeof ApiKeysV1>, Operation>>,
  "endpoint"
>

const operations = Effect.map(ApiKeys, (keys) => {
  const { ApiKeyNotFound, LevelTooLow, Rejected } = words
  const inRealm = <A, E, R>(use: (realmId: RealmId | undefined) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(NamedRealm, (realm) => use(realm?.id))
  return {
    list: ({ query }: Asked<"list">) =>
      inRealm((realmId) => keys.list(realmId, pageAsked(query, "id"))).pipe(
        Effect.map(({ items, more }) => ({ collection: items.map(body), more_results: more })),
        Effect.catchTags({ ApiKeyNotFound })
      ),
    get: ({ params }: Asked<"get">) =>
      inRealm((realmId) => keys.get(realmId, params.api_key_id)).pipe(
        Effect.map(body),
        Effect.catchTags({ ApiKeyNotFound })
      ),
    create: ({ payload: { api_key: asked } }: Asked<"create">) =>
      Effect.gen(function* () {
        if (presence(asked.name) === null) return yield* invalid([problem("name", "blank")])
        const { apiKey, key } = yield* keys.create({
          name: asked.name,
          level: asked.level,
          realmId: (yield* NamedRealm)?.id ?? null,
          expiresAt: typeof asked.expires_at === "number" ? utcOf(asked.expires_at) : null
        })
        return { ...body(apiKey), key }
      }).pipe(Effect.catchTags({ LevelTooLow, Rejected })),
    delete: ({ params }: Asked<"delete">) =>
      inRealm((realmId) => keys.delete(realmId, params.api_key_id)).pipe(Effect.catchTags({ ApiKeyNotFound }))
  }
})

/** `/v1/api_keys`, `/v2/api_keys`. */
export const ApiKeysHandlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "v1.api_keys", (handlers) => Effect.map(operations, (all) => handlers.handleAll(all))),
  HttpApiBuilder.group(Api, "v2.api_keys", (handlers) => Effect.map(operations, (all) => handlers.handleAll(all)))
)
