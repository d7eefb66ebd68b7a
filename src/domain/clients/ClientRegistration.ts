import { Data, type DateTime } from "effect"
import { URL_LENGTH, webUrlProblem } from "../WebUrl.ts"

/** Who may register OAuth clients in a realm (RFC 7591): nobody, holders of an API key, or anyone (C194). */
export const registrationModes = ["off", "token", "open"] as const

/** How a client registered itself: with an API key, without one, or by a metadata document. */
export const registrationKinds = ["token", "open", "document"] as const

export type RegistrationKind = (typeof registrationKinds)[number]

/** The details of a self-registered client. */
export interface ClientRegistration {
  readonly kind: RegistrationKind
  /** The URL of the client's metadata document, which is its `client_id`. Null if it has none. */
  readonly documentUrl: string | null
  /** When the client is deleted unless it gets a token first. Null if it has had a token or is never deleted. */
  readonly unusedUntil: DateTime.Utc | null
}

/**
 * Returns whether an administrator of the realm approved the client, by creating it through the management API or issuing
 * the API key it registered with.
 */
export const isAdminApproved = (registration: ClientRegistration | null): boolean =>
  registration === null || registration.kind === "token"

/** How long a client that no administrator approved has to get its first token, in hours. */
export const UNUSED_HOURS = 24

/** The maximum number of clients in a realm that registered without a key and have not had a token yet. */
export const MAX_UNUSED = 1_000

/**
 * Returns whether a `client_id` is the URL of a metadata document (draft-ietf-oauth-client-id-metadata-document). The URL
 * must be https, have a path, and be spelled as a URL parser would output it.
 */
export const isDocumentUrl = (clientId: string): boolean => {
  if (!clientId.startsWith("https://") || clientId.length > URL_LENGTH || webUrlProblem(clientId) !== undefined) {
    return false
  }
  const url = new URL(clientId)
  return url.href === clientId && url.pathname !== "/"
}

/** How long a copy of a client's published document may be used, in seconds. */
const COPY_SECONDS = { least: 300, most: 86_400, default: 3_600 } as const

/**
 * How long a copy of a client's document or key set may be used, in seconds, according to its `Cache-Control` header
 * (RFC 9111 §5.2.2).
 */
export const copySeconds = (cacheControl: string | undefined): number => {
  const directives = (cacheControl ?? "").toLowerCase()
  if (/\bno-(?:store|cache)\b/.test(directives)) return COPY_SECONDS.least
  const age = /\bmax-age="?(\d{1,9})/.exec(directives)?.[1]
  if (age === undefined) return COPY_SECONDS.default
  return Math.min(COPY_SECONDS.most, Math.max(COPY_SECONDS.least, Number(age)))
}

/** The realm has the maximum number of clients that registered without a key and have not had a token yet. */
export class TooManyClients extends Data.TaggedError("TooManyClients") {}

/** A client with this metadata document is already registered. */
export class DocumentKnown extends Data.TaggedError("DocumentKnown") {}
