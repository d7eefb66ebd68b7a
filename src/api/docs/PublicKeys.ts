import { oauthPath } from "#domain/oauth/OAuthPaths"
import { providerMetadata } from "#domain/oauth/ProviderMetadata"
import { everyResponse } from "./Headers.ts"

const TAG = "public keys"

export const publicKeyTag = {
  name: TAG,
  description:
    "The keys and metadata for verifying a realm's tokens, available to everyone without an API key. Responses may be cached for a minute.",
  "x-displayName": TAG
}

const text = (description: string) => ({ type: "string", description })

const list = (description: string) => ({ type: "array", items: { type: "string" }, description })

const key = {
  kid: "jky_01m7y8xydn9s4b7w1c5x8z2k6f",
  kty: "RSA",
  alg: "RS256",
  use: "sig",
  n: "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAt…",
  e: "AQAB",
  x5c: ["MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0vx7…"]
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The schemas of the public keys, keyed by their names in the document. */
export const publicKeySchemas = {
  Jwks: {
    type: "object",
    properties: {
      keys: {
        type: "array",
        description:
          "The realm's public keys (RFC 7517): current and future signing keys, and expired ones as long as they verify. Empty if the realm has only hs256 keys, which are secret.",
        items: {
          type: "object",
          properties: {
            kid: text("The key's ID, as in the `kid` header of tokens and in `/v2/jwt_keys`."),
            kty: text("The type of key: always `RSA`."),
            alg: text("The algorithm of its signatures: always `RS256`."),
            use: text("The use of the key: always `sig` (signatures)."),
            n: text("The modulus, in Base64url."),
            e: text("The public exponent, in Base64url."),
            x5c: list("The same key in a list with one element, its SPKI in Base64, for older client libraries.")
          },
          required: Object.keys(key)
        }
      }
    },
    required: ["keys"]
  },
  Discovery: {
    type: "object",
    properties: {
      issuer: text("The issuer, as in the claim `iss` of the realm's tokens."),
      jwks_uri: text("The URL of the realm's public keys."),
      response_types_supported: list("`code`; `id_token` in a realm without an RS256 key, which has no OAuth clients."),
      subject_types_supported: list("Always `public`: `sub` is the user's ID in every app."),
      id_token_signing_alg_values_supported: list(
        "`RS256`; in a realm without such a key, `HS256`, which signs its login tokens."
      ),
      authorization_endpoint: text(
        "The authorization endpoint, where browsers are sent to log in (RFC 6749). Missing in a realm without an RS256 key, like all members below."
      ),
      token_endpoint: text("The token endpoint."),
      userinfo_endpoint: text("The endpoint for claims about the user (OpenID Connect Core)."),
      introspection_endpoint: text("The endpoint where clients and resource servers check a token (RFC 7662)."),
      revocation_endpoint: text("The endpoint where clients revoke their tokens (RFC 7009)."),
      end_session_endpoint: text(
        "The endpoint where browsers are sent to log out (OpenID Connect RP-Initiated Logout)."
      ),
      device_authorization_endpoint: text("The endpoint where devices start a login (RFC 8628)."),
      pushed_authorization_request_endpoint: text("The endpoint for pushed authorization requests (RFC 9126)."),
      registration_endpoint: text("The endpoint where clients register themselves, if the realm allows it (RFC 7591)."),
      client_id_metadata_document_supported: {
        type: "boolean",
        description: "Whether a `client_id` may be the URL of a document that describes the client."
      },
      scopes_supported: list("The scopes that clients may request."),
      grant_types_supported: list("The grant types of the token endpoint."),
      token_endpoint_auth_methods_supported: list("The methods by which clients can authenticate."),
      code_challenge_methods_supported: list("Always `S256` (RFC 7636)."),
      dpop_signing_alg_values_supported: list("The algorithms of DPoP proofs (RFC 9449)."),
      claims_supported: list("The claims of ID tokens and of the userinfo endpoint.")
    },
    additionalProperties: true,
    required: [
      "issuer",
      "jwks_uri",
      "response_types_supported",
      "subject_types_supported",
      "id_token_signing_alg_values_supported"
    ]
  }
}

const publicUrl = "https://id.example.com"
const realmId = "rl_01m7y8xydk5168yghkc7ttt4bm"

const discovery = providerMetadata({
  issuer: `${publicUrl}/realms/${realmId}`,
  jwksUri: `${publicUrl}/realms/${realmId}/jwks`,
  endpoint: (name) => publicUrl + oauthPath(name, ":realm_id").replace(":realm_id", realmId),
  scopes: [],
  registration: "off"
})

const realmInPath = {
  name: "realm_id",
  in: "path",
  required: true,
  description: "The realm's ID.",
  schema: { type: "string" }
}

interface Read {
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly schema: "Jwks" | "Discovery"
  readonly missing: string
  readonly parameters: ReadonlyArray<object>
  readonly servers?: ReadonlyArray<object>
}

const read = ({ id, summary, description, schema, missing, parameters, servers }: Read) => ({
  get: {
    operationId: `public_keys.${id}`,
    tags: [TAG],
    security: [],
    ...(servers === undefined ? {} : { servers }),
    summary,
    description,
    parameters,
    responses: {
      200: {
        description: "Done. The response shows the result.",
        headers: {
          ...everyResponse,
          "Cache-Control": {
            description: "The cache policy: the response may be cached by anyone for 60 seconds.",
            schema: { type: "string" }
          }
        },
        content: {
          "application/json": {
            schema: ref(schema),
            examples: { default: { value: schema === "Jwks" ? { keys: [key] } : discovery } }
          }
        }
      },
      404: { $ref: `#/components/responses/${missing}` }
    }
  }
})

/** The paths of public keys and discovery documents, by a realm's ID and on the hosts of its apps (C30). */
export const publicKeyPaths = (servers: ReadonlyArray<object>) => {
  const realm = { missing: "NotFound", parameters: [realmInPath] }
  const host = { missing: "NotFound", parameters: [], servers }
  const jwks = {
    summary: "Get a realm's public keys",
    description:
      "The JWKS of the realm. A verifier that encounters an unknown `kid` should fetch it again, because keys are replaced without notice.",
    schema: "Jwks" as const
  }
  const configuration = {
    summary: "Get a realm's discovery document",
    description:
      "Contains the issuer of the realm's tokens, the address of its public keys, and the features that OAuth clients can use (OpenID Connect Discovery, RFC 8414).",
    schema: "Discovery" as const
  }
  const onHost = (description: string) => `${description} On the host of an app, the realm is the app's realm.`
  return {
    "/realms/{realm_id}/jwks": read({ id: "jwks", ...jwks, ...realm }),
    "/realms/{realm_id}/.well-known/openid-configuration": read({ id: "discovery", ...configuration, ...realm }),
    "/.well-known/oauth-authorization-server/realms/{realm_id}": read({
      id: "server_metadata",
      ...configuration,
      summary: "Get a realm's authorization server metadata",
      ...realm
    }),
    "/.well-known/openid-configuration/realms/{realm_id}": read({
      id: "root_discovery",
      ...configuration,
      description: `${configuration.description} The same document, at an address where some clients look for it.`,
      ...realm
    }),
    "/connect/jwks": read({ id: "app_jwks", ...jwks, description: onHost(jwks.description), ...host }),
    "/.well-known/openid-configuration": read({
      id: "app_discovery",
      ...configuration,
      description: onHost(configuration.description),
      ...host
    })
  }
}
