import { Effect } from "effect"
import { Api } from "#api/Api"
import { ConsentBody } from "#api/consents/V2"
import { OAuthConsents } from "#core/oauth/OAuthConsents"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { makeUserFilter } from "../UserFilter.ts"
import { listResponse, requestedPage } from "../WireMapping.ts"
import { consentBodyV2 } from "./Bodies.ts"

/** `/v2/consents` */
export const ConsentsHandlersV2 = handlerGroup(
  Api,
  "v2.consents",
  Effect.fn(function* (handlers) {
    const consents = yield* OAuthConsents
    const userIn = yield* makeUserFilter("v2")
    const { OAuthConsentNotFound, RealmNotFound } = wireErrors

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.flatMap(userIn(query.user_id), (userId) =>
          consents.list({ userId, clientId: query.client_app_id }, requestedPage(query, "id"))
        ).pipe(Effect.flatMap(listResponse(ConsentBody, consentBodyV2)), Effect.catchTags({ OAuthConsentNotFound })),
      get: ({ params }) =>
        consents.get(params.consent_id).pipe(Effect.map(consentBodyV2), Effect.catchTags({ OAuthConsentNotFound })),
      delete: ({ params }) =>
        consents.revoke(params.consent_id).pipe(Effect.catchTags({ OAuthConsentNotFound, RealmNotFound }))
    })
  })
)
