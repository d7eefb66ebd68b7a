import type { FetchInit } from "#client/Fetch"

/** Characters that a terminal takes for keys, or that show a line as another than it is. */
const MISLEADING = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** A text in quotes, in which a shell reads nothing. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A text as one word of a shell or a value of an `.env` file: in quotes unless it means itself without. */
export const shellWord = (text: string): string => (/^[\w.:/@%+,-]+$/.test(text) ? text : quoted(text))

/** JSON with the characters escaped that do something where it is pasted (SEC-219). */
export const pastedJson = (json: string): string =>
  json.replace(MISLEADING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** A request of the console as a curl command, with a key in the place of its cookie. */
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
