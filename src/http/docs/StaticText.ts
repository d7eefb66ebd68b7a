import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** The content codings, from smallest to largest result. */
const encodings = ["br", "gzip", "identity"] as const

type Encoding = (typeof encodings)[number]

/** At this quality, the result is nearly as small as at the best quality, but takes a fiftieth of the time. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

const encoders: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, QUALITY),
  gzip: (bytes) => promisify(gzip)(bytes),
  identity: (bytes) => Promise.resolve(bytes)
}

/** Parses an `Accept-Encoding` header. The result returns the quality of each coding, 0 if it is not acceptable. */
const qualitiesOf = (header: string): ((coding: Encoding) => number) => {
  const qualities = new Map<string, number>()
  for (const part of header.slice(0, 500).toLowerCase().split(",")) {
    const [coding = "", ...params] = part.split(";").map((text) => text.trim())
    const quality = Number(params.find((param) => param.startsWith("q="))?.slice(2) ?? 1)
    if (coding !== "") qualities.set(coding, Number.isFinite(quality) ? quality : 0)
  }
  // If the header does not name `identity`, it is accepted as a last resort.
  return (coding) => qualities.get(coding) ?? qualities.get("*") ?? (coding === "identity" ? Number.MIN_VALUE : 0)
}

/**
 * Returns the acceptable coding with the highest quality. Of several with the same quality, returns the smallest; if none is
 * acceptable, returns `identity`.
 */
export const encodingFor = (header: string | undefined): Encoding => {
  const qualityOf = qualitiesOf(header ?? "")
  const best = Math.max(...encodings.map(qualityOf))
  return best > 0 ? (encodings.find((coding) => qualityOf(coding) === best) ?? "identity") : "identity"
}

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
 * No other response is compressed: the compressed length of a response that contains both a secret and caller-supplied text
 * would reveal the secret (BREACH). Set `encoded` to `as is` for content that is already compressed.
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
          Effect.promise(async () => (encoded === "as is" ? bytes : (encoded[coding] ?? encoders[coding](bytes))))
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
