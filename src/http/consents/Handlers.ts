import { Effect, type Schema } from "effect"
import { Api } from "#api/Api"
import { ConsentBodyV1, ConsentBodyV2 } from "#api/consents/Endpoints"
import { OAuthConsents } from "#core/oauth/OAuthConsents"
import type { Version } from "#domain/Event"
import type { OAuthConsent } from "#domain/oauth/OAuthConsent"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { makeUserFilter } from "../UserFilter.ts"
import { listResponse, requestedPage } from "../WireMapping.ts"
import { consentBodyV1, consentBodyV2 } from "./Bodies.ts"

type Request<Operation extends string> = EndpointRequest<"v2.consents", Operation>

type ListQuery = Omit<Request<"list">["query"], "client_app_id">

/** The operations on consents, the same in both versions. `body` builds a version's response of type `schema`. */
const makeHandlers = <Body extends Schema.Top & { readonly Type: object }>(
  version: Version,
  schema: Body,
  body: (consent: OAuthConsent) => Body["Type"]
) =>
  Effect.gen(function* () {
    const consents = yield* OAuthConsents
    const userIn = yield* makeUserFilter(version)
    const { OAuthConsentNotFound, RealmNotFound } = wireErrors
    return {
      list: (query: ListQuery, clientId: string | undefined) =>
        Effect.flatMap(userIn(query.user_id), (userId) =>
          consents.list({ userId, clientId }, requestedPage(query, "id"))
        ).pipe(Effect.flatMap(listResponse(schema, body)), Effect.catchTags({ OAuthConsentNotFound })),
      get: ({ params }: Request<"get">) =>
        consents.get(params.consent_id).pipe(Effect.map(body), Effect.catchTags({ OAuthConsentNotFound })),
      delete: ({ params }: Request<"delete">) =>
        consents.revoke(params.consent_id).pipe(Effect.catchTags({ OAuthConsentNotFound, RealmNotFound }))
    }
  })

/** `/v1/consents` */
export const ConsentsHandlersV1 = handlerGroup(Api, "v1.consents", (group) =>
  Effect.map(makeHandlers("v1", ConsentBodyV1, consentBodyV1), (all) =>
    group.handleAll({ ...all, list: ({ query }) => all.list(query, query.login_policy_id) })
  )
)

/** `/v2/consents` */
export const ConsentsHandlersV2 = handlerGroup(Api, "v2.consents", (group) =>
  Effect.map(makeHandlers("v2", ConsentBodyV2, consentBodyV2), (all) =>
    group.handleAll({ ...all, list: ({ query }) => all.list(query, query.client_app_id) })
  )
)
