import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

/** The content codings, from smallest to largest result. */
const encodings = ["br", "gzip", "identity"] as const

/** A content coding of a response (RFC 9110 §8.4.1). */
export type Encoding = (typeof encodings)[number]

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

/** How much work a compression does: for a text that is sent many times, or for one that is sent once. */
const qualities = { file: 6, response: 4 }

/** Compresses bytes, in a thread of its own. */
export const encode = (coding: Encoding, bytes: Uint8Array, use: keyof typeof qualities): Promise<Uint8Array> => {
  if (coding === "identity") return Promise.resolve(bytes)
  if (coding === "gzip") return promisify(gzip)(bytes)
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: qualities[use] } })
}
