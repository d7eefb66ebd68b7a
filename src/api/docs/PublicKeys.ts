import { everyResponse } from "./Headers.ts"

const TAG = "public keys"

export const publicKeyTag = {
  name: TAG,
  description:
    "What verifiers of a realm's tokens need, for everyone, without a key. Responses may be cached for a minute.",
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

/** The schemas of the public keys, by their names in the document. */
export const publicKeySchemas = {
  Jwks: {
    type: "object",
    properties: {
      keys: {
        type: "array",
        description:
          "The realm's public keys (RFC 7517): those that sign or will sign, and expired ones as long as they verify. Empty for a realm with hs256 keys only, which are secret.",
        items: {
          type: "object",
          properties: {
            kid: text("The key's ID, as in the header `kid` of tokens and as `/v2/jwt_keys` shows it."),
            kty: text("The type of the key: always `RSA`."),
            alg: text("The algorithm of its signatures: always `RS256`."),
            use: text("What the key is for: always `sig`, signatures."),
            n: text("The modulus, in Base64url."),
            e: text("The public exponent, in Base64url."),
            x5c: list("The same key as one element, the Base64 of its SPKI, which older client libraries read.")
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
      response_types_supported: list("Always `id_token`."),
      subject_types_supported: list("Always `public`: `sub` is the user's ID for every app."),
      id_token_signing_alg_values_supported: list("The algorithm of the key that signs: `HS256` or `RS256`.")
    },
    required: [
      "issuer",
      "jwks_uri",
      "response_types_supported",
      "subject_types_supported",
      "id_token_signing_alg_values_supported"
    ]
  }
}

const discovery = {
  issuer: "https://id.example.com/realms/rl_01m7y8xydk5168yghkc7ttt4bm",
  jwks_uri: "https://id.example.com/realms/rl_01m7y8xydk5168yghkc7ttt4bm/jwks",
  response_types_supported: ["id_token"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"]
}

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
            description: "How long the response may be cached: for everyone, and 60 seconds.",
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

/** The paths of public keys and of discovery: for a realm's ID, and on the hosts of its apps (C30). */
export const publicKeyPaths = (servers: ReadonlyArray<object>) => {
  const realm = { missing: "NotFound", parameters: [realmInPath] }
  const host = { missing: "NotFound", parameters: [], servers }
  const jwks = {
    summary: "Get a realm's public keys",
    description:
      "The JWKS of the realm. A verifier that meets an unknown `kid` should fetch it again, since keys are replaced without notice.",
    schema: "Jwks" as const
  }
  const configuration = {
    summary: "Get a realm's discovery document",
    description: "Names the issuer of the realm's tokens and where its public keys are (OpenID Connect Discovery).",
    schema: "Discovery" as const
  }
  const onHost = (description: string) => `${description} On the host of an app, that of its realm.`
  return {
    "/realms/{realm_id}/jwks": read({ id: "jwks", ...jwks, ...realm }),
    "/realms/{realm_id}/.well-known/openid-configuration": read({ id: "discovery", ...configuration, ...realm }),
    "/connect/jwks": read({ id: "app_jwks", ...jwks, description: onHost(jwks.description), ...host }),
    "/.well-known/openid-configuration": read({
      id: "app_discovery",
      ...configuration,
      description: onHost(configuration.description),
      ...host
    })
  }
}
