import { Effect } from "effect"
import { Api } from "#api/Api"
import type { JwtKeyBody } from "#api/keys/Endpoints"
import { JwtKeys } from "#core/keys/JwtKeys"
import { type JwtKey, verificationKeyOf } from "#domain/JwtKey"
import { nonBlank } from "#domain/Text"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { linkedBody, requestedPage, timeT } from "../WireMapping.ts"

const jwtKeyBody = (key: JwtKey): typeof JwtKeyBody.Type => ({
  id: key.id,
  object: "jwt_key",
  algo: key.algo,
  expired: key.expiredAt !== null,
  key: verificationKeyOf(key),
  use: "sign",
  realm_id: key.realmId,
  created_at: timeT(key.createdAt)
})

type Request<Operation extends string> = EndpointRequest<"v2.jwt_keys", Operation>

/** The operations on signing keys, the same in both versions. */
const handlers = Effect.map(JwtKeys, (keys) => {
  const { JwtKeyNotFound, RealmNotFound, Rejected } = wireErrors
  return {
    list: ({ query }: Request<"list">) =>
      keys
        .list(requestedPage(query, "id", "desc"))
        .pipe(Effect.flatMap(linkedBody(jwtKeyBody)), Effect.catchTags({ JwtKeyNotFound })),
    get: ({ params }: Request<"get">) =>
      keys.get(params.key_id).pipe(Effect.map(jwtKeyBody), Effect.catchTags({ JwtKeyNotFound })),
    create: ({ payload: { jwt_key: sent } }: Request<"create">) =>
      keys
        .create(sent.algo, nonBlank(sent.key ?? null))
        .pipe(Effect.map(jwtKeyBody), Effect.catchTags({ Rejected, RealmNotFound })),
    delete: ({ params, query }: Request<"delete">) =>
      keys.delete(params.key_id, query.force === true).pipe(Effect.catchTags({ JwtKeyNotFound, RealmNotFound }))
  }
})

/** `/v1/jwt_keys` */
export const JwtKeysHandlersV1 = handlerGroup(Api, "v1.jwt_keys", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)

/** `/v2/jwt_keys` */
export const JwtKeysHandlersV2 = handlerGroup(Api, "v2.jwt_keys", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)
