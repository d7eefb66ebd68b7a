import { Effect } from "effect"
import { NamedRealm } from "#api/Access"
import { Api } from "#api/Api"
import type { ApiKeyBody } from "#api/access/Endpoints"
import { ApiKeys } from "#core/access/ApiKeys"
import type { ApiKey } from "#domain/ApiKey"
import type { RealmId } from "#domain/Ids"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { linkedBody, requestedPage, timeT, timeTOrNull, utcFromTimeT } from "../WireMapping.ts"

/** An API key without its secret. */
export const apiKeyBody = (key: ApiKey): typeof ApiKeyBody.Type => ({
  id: key.id,
  object: "api_key",
  name: key.name,
  level: key.level,
  realm_id: key.realmId,
  created_at: timeT(key.createdAt),
  expires_at: timeTOrNull(key.expiresAt),
  last_used_at: timeTOrNull(key.lastUsedAt)
})

type Request<Operation extends string> = EndpointRequest<"v2.api_keys", Operation>

/** The operations on API keys, the same in both versions. */
const handlers = Effect.map(ApiKeys, (keys) => {
  const { ApiKeyNotFound, LevelTooLow, RealmNotFound, Rejected } = wireErrors
  const inRealm = <A, E, R>(use: (realmId: RealmId | undefined) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(NamedRealm, (realm) => use(realm?.id))
  return {
    list: ({ query }: Request<"list">) =>
      inRealm((realmId) => keys.list(realmId, requestedPage(query, "id"))).pipe(
        Effect.flatMap(linkedBody(apiKeyBody)),
        Effect.catchTags({ ApiKeyNotFound })
      ),
    get: ({ params }: Request<"get">) =>
      inRealm((realmId) => keys.get(realmId, params.api_key_id)).pipe(
        Effect.map(apiKeyBody),
        Effect.catchTags({ ApiKeyNotFound })
      ),
    create: ({ payload: { api_key: sent } }: Request<"create">) =>
      Effect.gen(function* () {
        const { apiKey, key } = yield* keys.create({
          name: sent.name,
          level: sent.level,
          realmId: (yield* NamedRealm)?.id ?? null,
          expiresAt: typeof sent.expires_at === "number" ? utcFromTimeT(sent.expires_at) : null
        })
        return { ...apiKeyBody(apiKey), key }
      }).pipe(Effect.catchTags({ LevelTooLow, RealmNotFound, Rejected })),
    delete: ({ params }: Request<"delete">) =>
      inRealm((realmId) => keys.delete(realmId, params.api_key_id)).pipe(Effect.catchTags({ ApiKeyNotFound }))
  }
})

/** `/v1/api_keys` */
export const ApiKeysHandlersV1 = handlerGroup(Api, "v1.api_keys", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

/** `/v2/api_keys` */
export const ApiKeysHandlersV2 = handlerGroup(Api, "v2.api_keys", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)
