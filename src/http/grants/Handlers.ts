import { Effect, type Schema } from "effect"
import { Api } from "#api/Api"
import { GrantBodyV1, GrantBodyV2 } from "#api/grants/Endpoints"
import { OAuthGrants } from "#core/oauth/OAuthGrants"
import type { Version } from "#domain/Event"
import type { ListedGrant } from "#domain/oauth/OAuthGrant"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { makeUserFilter } from "../UserFilter.ts"
import { listResponse, requestedPage } from "../WireMapping.ts"
import { grantBodyV1, grantBodyV2 } from "./Bodies.ts"

type Request<Operation extends string> = EndpointRequest<"v2.grants", Operation>

type ListQuery = Omit<Request<"list">["query"], "client_app_id">

/** The operations on grants, the same in both versions. `body` builds a version's response of type `schema`. */
const makeHandlers = <Body extends Schema.Top & { readonly Type: object }>(
  version: Version,
  schema: Body,
  body: (grant: ListedGrant) => Body["Type"]
) =>
  Effect.gen(function* () {
    const grants = yield* OAuthGrants
    const userIn = yield* makeUserFilter(version)
    const { OAuthGrantNotFound, RealmNotFound } = wireErrors
    return {
      list: (query: ListQuery, clientId: string | undefined) =>
        Effect.flatMap(userIn(query.user_id), (userId) =>
          grants.list({ userId, clientId }, requestedPage(query, "id"))
        ).pipe(Effect.flatMap(listResponse(schema, body)), Effect.catchTags({ OAuthGrantNotFound })),
      get: ({ params }: Request<"get">) =>
        grants.get(params.grant_id).pipe(Effect.map(body), Effect.catchTags({ OAuthGrantNotFound })),
      delete: ({ params }: Request<"delete">) =>
        grants.revoke(params.grant_id).pipe(Effect.catchTags({ OAuthGrantNotFound, RealmNotFound }))
    }
  })

/** `/v1/grants` */
export const GrantsHandlersV1 = handlerGroup(Api, "v1.grants", (group) =>
  Effect.map(makeHandlers("v1", GrantBodyV1, grantBodyV1), (all) =>
    group.handleAll({ ...all, list: ({ query }) => all.list(query, query.login_policy_id) })
  )
)

/** `/v2/grants` */
export const GrantsHandlersV2 = handlerGroup(Api, "v2.grants", (group) =>
  Effect.map(makeHandlers("v2", GrantBodyV2, grantBodyV2), (all) =>
    group.handleAll({ ...all, list: ({ query }) => all.list(query, query.client_app_id) })
  )
)
