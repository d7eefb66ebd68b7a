import { createHash } from "node:crypto"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Encoding, encode, encodingFor } from "#platform/ContentEncoding"

/** Returns whether `If-None-Match` contains the response's entity tag. */
const matches = (header: string | undefined, tag: string): boolean =>
  (header ?? "").split(",").some((known) => ["*", tag].includes(known.trim().replace(/^W\//, "")))

/** A digest of a text, short enough for a URL. */
export const digestOf = (text: string | Buffer): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, 22)

/** A response that is the same for everyone as long as the service runs. */
type StaticResponse = Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

/** The encodings available without compressing. */
type Encoded = { readonly [Coding in Encoding]?: Buffer }

/**
 * Serves bytes that are the same for everyone as long as the service runs. They are encoded at the first request, then cached.
 * Set `encoded` to `as is` for content that is already compressed.
 */
export const staticBytes = (
  bytes: Buffer,
  contentType: string,
  headers: Readonly<Record<string, string>>,
  encoded: Encoded | "as is" = {}
): Effect.Effect<StaticResponse> =>
  Effect.gen(function* () {
    const digest = digestOf(bytes)
    // A caller who disconnects must not interrupt the encoding, because other callers wait for it.
    const cached = (coding: Encoding) =>
      Effect.cached(
        Effect.uninterruptible(
          Effect.promise(async () => (encoded === "as is" ? bytes : (encoded[coding] ?? encode(coding, bytes, "file"))))
        )
      )
    const bodies = { br: yield* cached("br"), gzip: yield* cached("gzip"), identity: yield* cached("identity") }
    return Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const coding = encoded === "as is" ? "identity" : encodingFor(request.headers["accept-encoding"])
      const plain = coding === "identity"
      const etag = `"${digest}${plain ? "" : `-${coding}`}"`
      const shared = { ...headers, etag, vary: "accept-encoding" }
      if (matches(request.headers["if-none-match"], etag)) {
        return HttpServerResponse.empty({ status: 304, headers: shared })
      }
      const named = plain ? shared : { ...shared, "content-encoding": coding }
      return HttpServerResponse.uint8Array(yield* bodies[coding], { contentType, headers: named })
    })
  })

/** Like `staticBytes`, for a text. */
export const staticText = (
  text: string,
  contentType: string,
  headers: Readonly<Record<string, string>>
): Effect.Effect<StaticResponse> => staticBytes(Buffer.from(text), contentType, headers)
