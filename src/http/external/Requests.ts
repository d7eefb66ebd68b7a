import type { AuthorizationResponse } from "#core/external/ExternalLoginRequests"
import type { AuthorizationUrlRequest } from "#core/external/OAuthStates"
import { nameInUser } from "#core/external/providers/ProviderClaims"
import { nonBlank } from "#domain/Text"

interface SentQuery {
  readonly redirect_uri?: string
  readonly nonce?: string
}

interface SentCode {
  readonly code?: string | null
  readonly error?: string | null
  readonly iss?: string | null
  readonly nonce?: string | null
  readonly state?: string | null
  readonly user?: string | null
}

/** The parameters of a request for authorization URLs. */
export const urlRequest = ({ redirect_uri, nonce }: SentQuery): AuthorizationUrlRequest => ({
  redirectUri: redirect_uri ?? "",
  nonce: nonBlank(nonce ?? null)
})

/** The callback parameters of a provider, which the caller passes on. */
export const callbackParameters = ({
  code,
  error,
  iss,
  nonce,
  state,
  user
}: SentCode): Omit<AuthorizationResponse, "pendingKind" | "scope"> => ({
  code: nonBlank(code ?? null) ?? "",
  error: nonBlank(error ?? null) ?? "",
  state: state ?? "",
  nonce: nonBlank(nonce ?? null),
  issuer: nonBlank(iss ?? null),
  name: nameInUser(user ?? "")
})
