import { decodeUtf8 } from "#domain/Utf8"

/** The client credentials sent in a request. */
export interface SentCredentials {
  readonly clientId: string
  readonly secret: string | undefined
  /** A signed assertion (RFC 7523). */
  readonly assertion?: string
}

/** Decodes a part of the header, which is encoded like a form value (RFC 6749 §2.3.1). Returns undefined if it is malformed. */
const decodePart = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

/** Returns the client ID and secret in an `Authorization` header of type Basic, or undefined if the header contains none. */
export const basicCredentials = (header: string): SentCredentials | undefined => {
  const encoded = /^basic +([A-Za-z\d+/]+={0,2}) *$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const text = decodeUtf8(Buffer.from(encoded, "base64")) ?? ""
  const colon = text.indexOf(":")
  const clientId = colon < 0 ? undefined : decodePart(text.slice(0, colon))
  const secret = colon < 0 ? undefined : decodePart(text.slice(colon + 1))
  if (clientId === undefined || clientId === "" || secret === undefined) return undefined
  return { clientId, secret: secret === "" ? undefined : secret }
}
