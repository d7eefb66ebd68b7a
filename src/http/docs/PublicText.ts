import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** Ways to send a text, the smallest first. */
const encodings = ["br", "gzip", "identity"] as const

type Encoding = (typeof encodings)[number]

/** Nearly the smallest, in a fiftieth of the time. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

const encoders: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, QUALITY),
  gzip: (bytes) => promisify(gzip)(bytes),
  identity: (bytes) => Promise.resolve(bytes)
}

/** How much each coding is liked by an `Accept-Encoding` header: 0 is not at all. */
const liking = (header: string): ((coding: Encoding) => number) => {
  const liked = new Map<string, number>()
  for (const part of header.slice(0, 500).toLowerCase().split(",")) {
    const [coding = "", ...params] = part.split(";").map((text) => text.trim())
    const quality = Number(params.find((param) => param.startsWith("q="))?.slice(2) ?? 1)
    if (coding !== "") liked.set(coding, Number.isFinite(quality) ? quality : 0)
  }
  // Whoever does not speak of the plain text takes it when all else fails.
  return (coding) => liked.get(coding) ?? liked.get("*") ?? (coding === "identity" ? Number.MIN_VALUE : 0)
}

/** The coding that a caller likes best: of those liked alike the smallest, plain where none is liked. */
export const encodingFor = (header: string | undefined): Encoding => {
  const likes = liking(header ?? "")
  const best = Math.max(...encodings.map(likes))
  return best > 0 ? (encodings.find((coding) => likes(coding) === best) ?? "identity") : "identity"
}

/** Whether `If-None-Match` names what would be sent. */
const isKnown = (header: string | undefined, tag: string): boolean =>
  (header ?? "").split(",").some((known) => ["*", tag].includes(known.trim().replace(/^W\//, "")))

/** A name for a text that changes with it. */
export const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22)

/**
 * Answers with a text that is the same for everyone as long as the service runs: encoded at the first request for it, and
 * kept. No other answer is compressed: one that holds a secret beside what a caller sent would tell it by its length
 * (BREACH).
 */
export const staticText = (
  text: string,
  contentType: string,
  headers: Readonly<Record<string, string>>
): Effect.Effect<Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>> =>
  Effect.gen(function* () {
    const [bytes, digest] = [Buffer.from(text), digestOf(text)]
    // A caller who leaves does not take the work along that others wait for.
    const kept = (coding: Encoding) =>
      Effect.cached(Effect.uninterruptible(Effect.promise(() => encoders[coding](bytes))))
    const encoded = { br: yield* kept("br"), gzip: yield* kept("gzip"), identity: yield* kept("identity") }
    return Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const coding = encodingFor(request.headers["accept-encoding"])
      const plain = coding === "identity"
      const etag = `"${digest}${plain ? "" : `-${coding}`}"`
      const shared = { ...headers, etag, vary: "accept-encoding" }
      if (isKnown(request.headers["if-none-match"], etag)) {
        return HttpServerResponse.empty({ status: 304, headers: shared })
      }
      const named = plain ? shared : { ...shared, "content-encoding": coding }
      return HttpServerResponse.uint8Array(yield* encoded[coding], { contentType, headers: named })
    })
  })
