import { Effect } from "effect"
import { AuthProviders } from "#core/external/AuthProviders"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { wireErrors } from "../Errors.ts"
import { linkedBody, requestedPage } from "../WireMapping.ts"
import { providerBody } from "./Bodies.ts"
import { providerInput } from "./Requests.ts"

type Request<Operation extends string> = EndpointRequest<"v2.auth_providers", Operation>

/** The operations on auth providers, the same in both versions. */
export const handlers = Effect.map(AuthProviders, (providers) => {
  const { AuthProviderNotFound, RealmNotFound, Rejected } = wireErrors
  return {
    list: ({ query }: Request<"list">) =>
      providers
        .list({ providerType: query.provider_type, state: query.state }, requestedPage(query, "id"))
        .pipe(Effect.flatMap(linkedBody(providerBody)), Effect.catchTags({ AuthProviderNotFound })),
    get: ({ params }: Request<"get">) =>
      providers.get(params.auth_provider_id).pipe(Effect.map(providerBody), Effect.catchTags({ AuthProviderNotFound })),
    create: ({ payload: { auth_provider: sent } }: Request<"create">) =>
      providers
        .create(sent.provider_type, providerInput(sent))
        .pipe(Effect.map(providerBody), Effect.catchTags({ Rejected, RealmNotFound })),
    update: ({ params, payload }: Request<"update">) =>
      providers
        .update(params.auth_provider_id, providerInput(payload.auth_provider))
        .pipe(Effect.map(providerBody), Effect.catchTags({ AuthProviderNotFound, Rejected, RealmNotFound })),
    delete: ({ params }: Request<"delete">) =>
      providers
        .delete(params.auth_provider_id)
        .pipe(Effect.catchTags({ AuthProviderNotFound, Rejected, RealmNotFound }))
  }
})
