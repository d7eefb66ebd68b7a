import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** The content codings, smallest result first. */
const encodings = ["br", "gzip", "identity"] as const

type Encoding = (typeof encodings)[number]

/** Nearly as small as the best quality, in a fiftieth of the time. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

const encoders: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, QUALITY),
  gzip: (bytes) => promisify(gzip)(bytes),
  identity: (bytes) => Promise.resolve(bytes)
}

/** Parses an `Accept-Encoding` header to the quality of each coding: 0 if it is not acceptable. */
const qualitiesOf = (header: string): ((coding: Encoding) => number) => {
  const qualities = new Map<string, number>()
  for (const part of header.slice(0, 500).toLowerCase().split(",")) {
    const [coding = "", ...params] = part.split(";").map((text) => text.trim())
    const quality = Number(params.find((param) => param.startsWith("q="))?.slice(2) ?? 1)
    if (coding !== "") qualities.set(coding, Number.isFinite(quality) ? quality : 0)
  }
  // If the header does not name `identity`, it is accepted as a last choice.
  return (coding) => qualities.get(coding) ?? qualities.get("*") ?? (coding === "identity" ? Number.MIN_VALUE : 0)
}

/** The acceptable coding of the highest quality; the smallest if several are equal, `identity` if none is acceptable. */
export const encodingFor = (header: string | undefined): Encoding => {
  const qualityOf = qualitiesOf(header ?? "")
  const best = Math.max(...encodings.map(qualityOf))
  return best > 0 ? (encodings.find((coding) => qualityOf(coding) === best) ?? "identity") : "identity"
}

/** Whether `If-None-Match` contains the response's entity tag. */
const matches = (header: string | undefined, tag: string): boolean =>
  (header ?? "").split(",").some((known) => ["*", tag].includes(known.trim().replace(/^W\//, "")))

/** A digest of a text, short enough for a URL. */
export const digestOf = (text: string | Buffer): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, 22)

/** A response that is the same for everyone while the service runs. */
type StaticResponse = Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

/** The encodings that already exist. */
type Encoded = { readonly [Coding in Encoding]?: Buffer }

/**
 * Serves bytes that are the same for everyone while the service runs: encoded at the first request, then cached. No other
 * response is compressed, because the compressed length of a response with a secret next to caller-supplied text reveals the
 * secret (BREACH). `encoded`: `as is` for content that is already compressed.
 */
export const staticBytes = (
  bytes: Buffer,
  contentType: string,
  headers: Readonly<Record<string, string>>,
  encoded: Encoded | "as is" = {}
): Effect.Effect<StaticResponse> =>
  Effect.gen(function* () {
    const digest = digestOf(bytes)
    // A caller who disconnects must not interrupt the encoding, because others wait for it.
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

/** Serves a text in the same way. */
export const staticText = (
  text: string,
  contentType: string,
  headers: Readonly<Record<string, string>>
): Effect.Effect<StaticResponse> => staticBytes(Buffer.from(text), contentType, headers)
