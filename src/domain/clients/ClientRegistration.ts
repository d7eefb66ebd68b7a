import { Data, type DateTime } from "effect"
import { URL_LENGTH, webUrlProblem } from "../WebUrl.ts"

/** Who may register OAuth clients in a realm by RFC 7591: nobody, who has an API key, or anyone (C194). */
export const registrationModes = ["off", "token", "open"] as const

/** How a client has registered itself: with an API key, without one, or by its metadata document. */
export const registrationKinds = ["token", "open", "document"] as const

export type RegistrationKind = (typeof registrationKinds)[number]

/** How a client has registered itself. */
export interface ClientRegistration {
  readonly kind: RegistrationKind
  /** The URL of its metadata document, which is its `client_id`. Null: it has none. */
  readonly documentUrl: string | null
  /** When the client is deleted unless it gets a token before. Null: it has got one, or is not deleted. */
  readonly unusedUntil: DateTime.Utc | null
}

/** Whether somebody who runs the realm has let a client in: by management, or with a key. */
export const isVouchedFor = (registration: ClientRegistration | null): boolean =>
  registration === null || registration.kind === "token"

/** How long a client that nobody vouches for may take to get its first token, in hours. */
export const UNUSED_HOURS = 24

/** The most clients of a realm that have registered without a key and have no token yet. */
export const MAX_UNUSED = 1_000

/**
 * Whether a `client_id` is the URL of a metadata document (draft-ietf-oauth-client-id-metadata-document): https, with a path,
 * spelled as URL parsers spell it.
 */
export const isDocumentUrl = (clientId: string): boolean => {
  if (!clientId.startsWith("https://") || clientId.length > URL_LENGTH || webUrlProblem(clientId) !== undefined) {
    return false
  }
  const url = new URL(clientId)
  return url.href === clientId && url.pathname !== "/"
}

/** How long the copy of what a client publishes may be used, in seconds. */
const COPY_SECONDS = { least: 300, most: 86_400, default: 3_600 } as const

/** For how many seconds the copy of a client's document or key set is used that came with this `Cache-Control` header (RFC 9111 §5.2.2). */
export const copySeconds = (cacheControl: string | undefined): number => {
  const directives = (cacheControl ?? "").toLowerCase()
  if (/\bno-(?:store|cache)\b/.test(directives)) return COPY_SECONDS.least
  const age = /\bmax-age="?(\d{1,9})/.exec(directives)?.[1]
  if (age === undefined) return COPY_SECONDS.default
  return Math.min(COPY_SECONDS.most, Math.max(COPY_SECONDS.least, Number(age)))
}

/** As many clients of the realm have registered without a key, and have no token yet, as may. */
export class TooManyClients extends Data.TaggedError("TooManyClients") {}

/** A client with this metadata document is registered already. */
export class DocumentKnown extends Data.TaggedError("DocumentKnown") {}
