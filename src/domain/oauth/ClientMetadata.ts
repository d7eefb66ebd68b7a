import { Data } from "effect"
import type { RegistrationKind } from "../clients/ClientRegistration.ts"
import { clientTypeRules } from "../clients/ClientTypeRules.ts"
import {
  DEVICE_CODE_GRANT,
  type GrantType,
  grantTypes,
  type OAuthClientType,
  type TokenEndpointAuthMethod,
  tokenEndpointAuthMethods
} from "../clients/OAuthClient.ts"
import { type OAuthClientInput, uriProblems } from "../clients/OAuthClientInput.ts"
import { parseScopes, standardScopes } from "../clients/OAuthScope.ts"
import { isObject } from "../JsonObject.ts"
import { pageUrlProblem } from "../WebUrl.ts"
import { proofAlgorithms } from "./ProofAlgorithm.ts"
import { displayTarget } from "./RedirectUri.ts"

/** The error codes of RFC 7591 §3.2.2. */
export type MetadataError =
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "invalid_software_statement"
  | "unapproved_software_statement"

/** A client's metadata cannot be registered. `description` is a sentence for developers. */
export class MetadataRefused extends Data.TaggedError("MetadataRefused")<{
  readonly error: MetadataError
  readonly description: string
}> {}

/** A client's metadata, as sent or published by the client. */
export type ClientMetadata = Readonly<Record<string, unknown>>

/** Parses metadata from JSON. Returns undefined if the string is not a JSON object. */
export const parseMetadata = (text: string): ClientMetadata | undefined => {
  try {
    const members: unknown = JSON.parse(text)
    return isObject(members) ? { ...members } : undefined
  } catch {
    return undefined
  }
}

/** The client described by its metadata. */
export interface DescribedClient {
  readonly clientType: OAuthClientType
  readonly input: OAuthClientInput
}

const refusal = (description: string, error: MetadataError = "invalid_client_metadata") =>
  new MetadataRefused({ error, description })

/** Metadata that requests unsupported behavior. */
const unsupported = [
  "sector_identifier_uri",
  "id_token_encrypted_response_alg",
  "id_token_encrypted_response_enc",
  "userinfo_signed_response_alg",
  "userinfo_encrypted_response_alg",
  "userinfo_encrypted_response_enc",
  "introspection_signed_response_alg",
  "authorization_signed_response_alg",
  "request_object_signing_alg",
  "request_object_encryption_alg",
  "request_uris",
  "tls_client_auth_subject_dn",
  "tls_client_certificate_bound_access_tokens"
]

/** Metadata for which only these values are supported. */
const supported: Readonly<Record<string, ReadonlyArray<string>>> = {
  application_type: ["web", "native"],
  subject_type: ["public"],
  id_token_signed_response_alg: ["RS256"],
  token_endpoint_auth_method: tokenEndpointAuthMethods,
  token_endpoint_auth_signing_alg: proofAlgorithms
}

const isText = (value: unknown): value is string => typeof value === "string"

const isTexts = (value: unknown): value is ReadonlyArray<string> => Array.isArray(value) && value.every(isText)

const isGrantType = (text: string): text is GrantType => grantTypes.some((type) => type === text)

const isMethod = (text: string): text is TokenEndpointAuthMethod => tokenEndpointAuthMethods.some((one) => one === text)

/** Reads a member of the given type. Null counts as omitted. */
const readMember = <A>(
  metadata: ClientMetadata,
  name: string,
  isOne: (value: unknown) => value is A
): A | undefined => {
  const value = Object.hasOwn(metadata, name) ? (metadata[name] ?? undefined) : undefined
  return value === undefined || isOne(value) ? value : undefined
}

/** Trims a name. Returns an empty string if it has no visible characters. */
const visibleName = (name = ""): string => (/[^\p{C}\s]/u.test(name) ? name.trim() : "")

const isFlag = (value: unknown): value is boolean => typeof value === "boolean"

/** The expected types of the members that are read. */
const memberTypes: Readonly<Record<string, readonly [isOne: (value: unknown) => boolean, is: string]>> = {
  redirect_uris: [isTexts, "an array of strings"],
  grant_types: [isTexts, "an array of strings"],
  response_types: [isTexts, "an array of strings"],
  post_logout_redirect_uris: [isTexts, "an array of strings"],
  client_name: [isText, "a string"],
  scope: [isText, "a string"],
  backchannel_logout_uri: [isText, "a string"],
  jwks: [isObject, "an object"],
  jwks_uri: [isText, "a string"],
  dpop_bound_access_tokens: [isFlag, "true or false"],
  require_pushed_authorization_requests: [isFlag, "true or false"]
}

const has = (metadata: ClientMetadata, name: string): boolean =>
  Object.hasOwn(metadata, name) && metadata[name] !== null && metadata[name] !== undefined

const JWT_FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Checks the metadata itself, regardless of what the client may request. */
const formProblem = (metadata: ClientMetadata): MetadataRefused | undefined => {
  const statement = metadata["software_statement"]
  if (has(metadata, "software_statement")) {
    return isText(statement) && JWT_FORM.test(statement)
      ? refusal("The issuer of the software statement is not trusted here.", "unapproved_software_statement")
      : refusal("software_statement must be a JSON Web Token.", "invalid_software_statement")
  }
  for (const [name, [isOne, is]] of Object.entries(memberTypes)) {
    if (has(metadata, name) && !isOne(metadata[name])) {
      return refusal(`${name} must be ${is}.`, name === "redirect_uris" ? "invalid_redirect_uri" : undefined)
    }
  }
  if (has(metadata, "jwks") && has(metadata, "jwks_uri"))
    return refusal("Only one of jwks and jwks_uri can be present.")
  const other = unsupported.find((name) => has(metadata, name))
  if (other !== undefined) return refusal(`${other} is not supported.`)
  for (const [name, values] of Object.entries(supported)) {
    const value = metadata[name]
    if (has(metadata, name) && !(isText(value) && values.includes(value))) {
      return refusal(`${name} must be one of: ${values.join(", ")}.`)
    }
  }
  return undefined
}

/**
 * How the client authenticates. Clients with a metadata document have no shared secret, so they default to their keys, or
 * to no authentication.
 */
const methodOf = (metadata: ClientMetadata, kind: RegistrationKind): TokenEndpointAuthMethod => {
  const named = readMember(metadata, "token_endpoint_auth_method", isText)
  if (named !== undefined && isMethod(named)) return named
  if (kind !== "document") return "client_secret_basic"
  return has(metadata, "jwks") || has(metadata, "jwks_uri") ? "private_key_jwt" : "none"
}

const isStandard = (scope: string): boolean => standardScopes.some((one) => one === scope)

/** The URL of a page, or null if it is invalid. That is not an error, because the page is only used to lead users back. */
const pageIn = (metadata: ClientMetadata, name: string): string | null => {
  const uri = readMember(metadata, name, isText)
  return uri === undefined || uriProblems(name, [uri], 1, pageUrlProblem).length > 0 ? null : uri
}

const isPage = (uri: string): boolean => uri.startsWith("https:")

const typeOf = (
  method: TokenEndpointAuthMethod,
  grants: ReadonlyArray<string> | undefined,
  uris: ReadonlyArray<string>,
  application: unknown
): OAuthClientType => {
  const hasPages = grants === undefined || grants.includes("authorization_code")
  if (!hasPages && grants.includes(DEVICE_CODE_GRANT)) return "device"
  if (method !== "none") return !hasPages && grants.includes("client_credentials") ? "machine" : "web"
  return application === "native" || !uris.every(isPage) ? "native" : "spa"
}

/** What a client is allowed to request in its metadata. */
export interface MetadataLimits {
  readonly scopes: ReadonlyArray<string>
  readonly grantTypes: ReadonlyArray<string>
}

/**
 * What clients that no administrator approved may request. They get only grants where users consent on a page that they
 * opened themselves (SEC-191). Further permissions from the realm are checked in each request (C196).
 */
export const openMetadata: MetadataLimits = {
  scopes: standardScopes,
  grantTypes: ["authorization_code", "refresh_token"]
}

/** Returns whether a client can get its first tokens by this grant type. With only `refresh_token`, it would never get any. */
const canStartGrant = (type: GrantType): boolean => type !== "refresh_token"

/**
 * The requested grant types that are allowed for the client. Unknown types and types that are not allowed are dropped
 * (RFC 7591 §3.2.1).
 */
const offeredGrantTypes = (
  asked: ReadonlyArray<string> | undefined,
  may: MetadataLimits
): ReadonlyArray<GrantType> | undefined | MetadataRefused => {
  if (asked === undefined) return undefined
  const offeredTypes = asked.filter(isGrantType).filter((type) => may.grantTypes.includes(type))
  if (offeredTypes.some(canStartGrant)) return offeredTypes
  const choices = grantTypes.filter(canStartGrant).filter((type) => may.grantTypes.includes(type))
  return refusal(`grant_types must include one of: ${choices.join(", ")}.`)
}

/**
 * Converts metadata to the client it describes (RFC 7591 §2). Unknown metadata is ignored, and so are scopes and grant
 * types that the client may not have.
 */
export const describedClient = (
  metadata: ClientMetadata,
  kind: RegistrationKind,
  reach: MetadataLimits
): DescribedClient | MetadataRefused => {
  const malformed = formProblem(metadata)
  if (malformed !== undefined) return malformed
  const method = methodOf(metadata, kind)
  const grants = offeredGrantTypes(readMember(metadata, "grant_types", isTexts), reach)
  if (grants instanceof MetadataRefused) return grants
  const uris = readMember(metadata, "redirect_uris", isTexts) ?? []
  const responses = readMember(metadata, "response_types", isTexts) ?? []
  if (responses.length > 0 && !responses.includes("code")) return refusal("The only response type is code.")
  if (kind === "document" && method.startsWith("client_secret")) {
    return refusal(
      "A client with a metadata document has no secret: token_endpoint_auth_method must be none or private_key_jwt."
    )
  }
  const clientType = typeOf(method, grants, uris, metadata["application_type"])
  const asked = parseScopes(readMember(metadata, "scope", isText) ?? "")
  if (asked === undefined) return refusal("scope is malformed.")
  const isMachine = clientType === "machine"
  const may = reach.scopes.filter((scope) => !(isMachine && isStandard(scope)))
  return {
    clientType,
    input: {
      name: visibleName(readMember(metadata, "client_name", isText)) || displayTarget(uris[0] ?? "") || "OAuth client",
      redirectUris: uris,
      grantTypes: grants?.filter((type) => clientTypeRules[clientType].grantTypes.allowed.includes(type)) ?? null,
      tokenEndpointAuthMethod: method,
      jwks: readMember(metadata, "jwks", isObject) ?? null,
      jwksUri: readMember(metadata, "jwks_uri", isText) ?? null,
      allowedScopes: asked.length === 0 ? null : asked.filter((scope) => may.includes(scope)),
      consent: "ask",
      requireDpop: readMember(metadata, "dpop_bound_access_tokens", isFlag) ?? null,
      requirePar: readMember(metadata, "require_pushed_authorization_requests", isFlag) ?? null,
      // The service redirects or posts to these URLs without asking the user, so clients that anyone can register must not
      // have them.
      postLogoutRedirectUris:
        kind === "token" ? (readMember(metadata, "post_logout_redirect_uris", isTexts) ?? null) : null,
      clientUri: kind === "token" ? pageIn(metadata, "client_uri") : null,
      initiateLoginUri: kind === "token" ? pageIn(metadata, "initiate_login_uri") : null,
      backchannelLogoutUri: kind === "token" ? (readMember(metadata, "backchannel_logout_uri", isText) ?? null) : null
    }
  }
}
