import { Effect, Layer } from "effect"
import { HttpApiBuilder, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "#api/Api"
import type { JwtKeyBody, JwtKeysV1 } from "#api/keys/Endpoints"
import { JwtKeys } from "#core/keys/JwtKeys"
import { type JwtKey, verifyingKey } from "#domain/JwtKey"
import { presence } from "#domain/Text"
import { words } from "../Errors.ts"
import { pageAsked, timeT } from "../WireMapping.ts"

const body = (key: JwtKey): typeof JwtKeyBody.Type => ({
  id: key.id,
  object: "jwt_key",
  algo: key.algo,
  expired: key.expiredAt !== null,
  key: verifyingKey(key),
  use: "sign",
  realm_id: key.realmId,
  created_at: timeT(key.createdAt)
})

/** What a request of either version says. */
type Asked<Operation extends string> = Omit<
  HttpApiEndpoint.Request<HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<typeof JwtKeysV1>, Operation>>,
  "endpoint"
>

const operations = Effect.map(JwtKeys, (keys) => {
  const { JwtKeyNotFound, RealmNotFound, Rejected } = words
  return {
    list: ({ query }: Asked<"list">) =>
      keys.list(pageAsked(query, "id", "desc")).pipe(
        Effect.map(({ items, more }) => ({ collection: items.map(body), more_results: more })),
        Effect.catchTags({ JwtKeyNotFound })
      ),
    get: ({ params }: Asked<"get">) =>
      keys.get(params.key_id).pipe(Effect.map(body), Effect.catchTags({ JwtKeyNotFound })),
    create: ({ payload: { jwt_key: sent } }: Asked<"create">) =>
      keys
        .create(sent.algo, presence(sent.key ?? null))
        .pipe(Effect.map(body), Effect.catchTags({ Rejected, RealmNotFound })),
    delete: ({ params, query }: Asked<"delete">) =>
      keys.delete(params.key_id, query.force === true).pipe(Effect.catchTags({ JwtKeyNotFound, RealmNotFound }))
  }
})

/** `/v1/jwt_keys`, `/v2/jwt_keys`. */
export const JwtKeysHandlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "v1.jwt_keys", (handlers) => Effect.map(operations, (all) => handlers.handleAll(all))),
  HttpApiBuilder.group(Api, "v2.jwt_keys", (handlers) => Effect.map(operations, (all) => handlers.handleAll(all)))
)
