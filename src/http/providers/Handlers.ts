import { Effect, Layer } from "effect"
import { HttpApiBuilder, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "#api/Api"
import type { AuthProviderBody, AuthProviderPayload, AuthProvidersV1 } from "#api/providers/Endpoints"
import { AuthProviders } from "#core/realms/AuthProviders"
import type { AuthProvider, OAuth2Provider } from "#domain/AuthProvider"
import type { AuthProviderInput } from "#domain/AuthProviderInput"
import { words } from "../Errors.ts"
import { given, pageAsked, timeT } from "../WireMapping.ts"

const mapping = (provider: OAuth2Provider) => ({
  authorization_url: provider.authorizationUrl,
  token_url: provider.tokenUrl,
  profile_url: provider.profileUrl,
  id_field: provider.idField,
  email_field: provider.emailField,
  email_verified_field: provider.emailVerifiedField,
  first_name_field: provider.firstNameField,
  last_name_field: provider.lastNameField,
  name_field: provider.nameField
})

const body = (provider: AuthProvider): typeof AuthProviderBody.Type => {
  const common = {
    id: provider.id,
    object: "auth_provider" as const,
    state: provider.state,
    realm_id: provider.realmId,
    created_at: timeT(provider.createdAt)
  }
  if (provider.providerType === "totp") return { ...common, provider_type: "totp" }
  if (provider.providerType === "password") {
    return {
      ...common,
      provider_type: "password",
      min_length: provider.minLength,
      preset: provider.preset,
      required_chars: provider.requiredChars
    }
  }
  const client = { ...common, name: provider.name, client_id: provider.clientId, scopes: provider.scopes }
  return provider.providerType === "oauth2"
    ? { ...client, provider_type: "oauth2", ...mapping(provider) }
    : { ...client, provider_type: provider.providerType }
}

const typed = (sent: AuthProviderPayload): AuthProviderInput =>
  given({
    state: sent.state,
    minLength: sent.min_length,
    preset: sent.preset,
    requiredChars: sent.required_chars,
    name: sent.name,
    clientId: sent.client_id,
    clientSecret: sent.client_secret,
    scopes: sent.scopes,
    authorizationUrl: sent.authorization_url,
    tokenUrl: sent.token_url,
    profileUrl: sent.profile_url,
    idField: sent.id_field,
    emailField: sent.email_field,
    emailVerifiedField: sent.email_verified_field,
    firstNameField: sent.first_name_field,
    lastNameField: sent.last_name_field,
    nameField: sent.name_field
  })

/** What a request of either version says. */
type Asked<Operation extends string> = Omit<
  HttpApiEndpoint.Request<HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<typeof AuthProvidersV1>, Operation>>,
  "endpoint"
>

const operations = Effect.map(AuthProviders, (providers) => {
  const { AuthProviderNotFound, RealmNotFound, Rejected } = words
  return {
    list: ({ query }: Asked<"list">) =>
      providers.list({ providerType: query.provider_type, state: query.state }, pageAsked(query, "id")).pipe(
        Effect.map(({ items, more }) => ({ collection: items.map(body), more_results: more })),
        Effect.catchTags({ AuthProviderNotFound })
      ),
    get: ({ params }: Asked<"get">) =>
      providers.get(params.auth_provider_id).pipe(Effect.map(body), Effect.catchTags({ AuthProviderNotFound })),
    create: ({ payload: { auth_provider: sent } }: Asked<"create">) =>
      providers
        .create(sent.provider_type, typed(sent))
        .pipe(Effect.map(body), Effect.catchTags({ Rejected, RealmNotFound })),
    update: ({ params, payload }: Asked<"update">) =>
      providers
        .update(params.auth_provider_id, typed(payload.auth_provider))
        .pipe(Effect.map(body), Effect.catchTags({ AuthProviderNotFound, Rejected, RealmNotFound })),
    delete: ({ params }: Asked<"delete">) =>
      providers
        .delete(params.auth_provider_id)
        .pipe(Effect.catchTags({ AuthProviderNotFound, Rejected, RealmNotFound }))
  }
})

/** `/v1/auth_providers`, `/v2/auth_providers`. */
export const AuthProvidersHandlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "v1.auth_providers", (handlers) =>
    Effect.map(operations, (all) => handlers.handleAll(all))
  ),
  HttpApiBuilder.group(Api, "v2.auth_providers", (handlers) => Effect.map(operations, (all) => handlers.handleAll(all)))
)
