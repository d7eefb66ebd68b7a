import type { FetchInit } from "#client/Fetch"

/** Control and direction characters. A terminal would interpret them, or they would disguise the rest of a line. */
const MISLEADING = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** Quotes a text so that a shell doesn't interpret it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Converts a text to a single shell word or `.env` value. Quotes it only if necessary. */
export const shellWord = (text: string): string => (/^[\w.:/@%+,-]+$/.test(text) ? text : quoted(text))

/** Escapes the characters in JSON that could take effect when pasted (SEC-219). */
export const pastedJson = (json: string): string =>
  json.replace(MISLEADING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Formats a request of the console as a curl command, with an API key instead of the cookie. */
export const curlCommand = (url: string, { method, headers, body }: FetchInit): string => {
  const own = url.replace("/console/api/", "/")
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(own)}`,
    `-H "Authorization: Bearer $SALLYPORT_KEY"`
  ]
  const idempotency = headers["idempotency-key"] ?? headers["Idempotency-Key"]
  if (idempotency !== undefined) lines.push(`-H "Idempotency-Key: $(uuidgen)"`)
  if (typeof body === "string") lines.push("-H 'Content-Type: application/json'", `-d ${quoted(pastedJson(body))}`)
  return lines.join(" \\\n  ")
}
