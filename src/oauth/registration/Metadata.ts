import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { catalogues, formatMessage } from "#api/Messages"
import { MetadataRefused, parseMetadata } from "#domain/oauth/ClientMetadata"
import type { Rejected } from "#domain/Rejected"
import { errorResponse } from "../Errors.ts"

/** The metadata names of client settings that have a different name here. */
const names: Readonly<Record<string, string>> = {
  name: "client_name",
  allowed_scopes: "scope",
  require_dpop: "dpop_bound_access_tokens",
  require_par: "require_pushed_authorization_requests"
}

/** Characters that are not allowed in an `error_description` (RFC 6749 §5.2). */
const FORBIDDEN_CHARACTERS = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g

/** The maximum length of client metadata, in characters. */
const METADATA_LENGTH = 16_384

/** Decodes the client metadata in the body of a request. */
export const sentMetadata = Effect.fnUntraced(function* ({ headers, text }: HttpServerRequest.HttpServerRequest) {
  const malformed = new MetadataRefused({
    error: "invalid_client_metadata",
    description: "The body must be a JSON object of at most 16 KB."
  })
  if (!/^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "")) return yield* malformed
  const sent = yield* Effect.mapError(
    text,
    () => new MetadataRefused({ error: malformed.error, description: "The body must be UTF-8 of at most 16 KB." })
  )
  const metadata = sent.length > METADATA_LENGTH ? undefined : parseMetadata(sent)
  return metadata ?? (yield* malformed)
})

/**
 * The responses to rejected metadata (RFC 7591 §3.2.2). They report only the first problem, with problems of redirect URIs
 * first.
 */
export const metadataResponses = (headers: Readonly<Record<string, string>>) => ({
  MetadataRefused: ({ error, description }: MetadataRefused) =>
    Effect.succeed<HttpServerResponse.HttpServerResponse>(errorResponse(400, error, description, headers)),
  Rejected: ({ problems }: Rejected) => {
    const found = problems.find(({ field }) => field === "redirect_uris") ?? problems[0]
    const error = found?.field === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata"
    const name = names[found?.field ?? ""] ?? found?.field ?? ""
    const text = found === undefined ? "" : formatMessage(catalogues.en, found, name)
    return Effect.succeed(errorResponse(400, error, text.replaceAll(FORBIDDEN_CHARACTERS, "'"), headers))
  }
})
