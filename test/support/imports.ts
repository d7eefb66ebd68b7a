import type { Api } from "#testing/Api"

/** One line of an NDJSON body. */
export type Row = Readonly<Record<string, unknown>>

/** A low-cost bcrypt hash of `PASSWORD`. */
export const BCRYPT = "$2y$04$9VWnZNXkQdSgbbMkA5.M3.c2dI79zwz2AXTeAOsKATf8vtwVHeO9u"

/** The secret of an authenticator app. */
export const OTP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

/** The lines of a response, parsed as JSON. */
export const linesOf = (text: string): ReadonlyArray<Row> =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

/** The rows of an export, without its first and last line. */
export const exportedRows = (text: string): ReadonlyArray<Row> => linesOf(text).slice(1, -1)

/** The body with these rows. A string is used unchanged. */
export const bodyOf = (rows: ReadonlyArray<Row | string>): string =>
  rows.map((row) => `${typeof row === "string" ? row : JSON.stringify(row)}\n`).join("")

/** The response of an import. */
export interface Imported {
  readonly status: number
  readonly refused: ReadonlyArray<Row>
  readonly summary: Row
}

/** Imports rows. `query` starts with a question mark. */
export const importRows = async (
  api: Api,
  rows: ReadonlyArray<Row | string> | string,
  query = ""
): Promise<Imported> => {
  const body = typeof rows === "string" ? rows : bodyOf(rows)
  const reply = await api.post(`/v2/imports${query}`, body, { "content-type": "application/x-ndjson" })
  if (reply.status !== 200) throw new Error(`The import failed: ${reply.status} ${reply.text}`)
  const lines = linesOf(reply.text)
  return { status: reply.status, refused: lines.slice(0, -1), summary: lines.at(-1) ?? {} }
}

/** The text of an export. */
export const exportOf = async (api: Api): Promise<string> => {
  const reply = await api.get("/v2/exports")
  if (reply.status !== 200) throw new Error(`The export failed: ${reply.status} ${reply.text}`)
  return reply.text
}

/** The row counts in the order of the summary. */
export const counts = ({ summary }: Imported) => {
  const { created, updated, unchanged, refused } = summary
  return { created, updated, unchanged, refused }
}

/** The rejected lines, each with the fields and codes of its problems. */
export const rejections = ({ refused }: Imported) =>
  refused.map(({ line, error_details: details }) => [
    line,
    ...(Array.isArray(details) ? details.map(({ field, code }) => `${field} ${code}`) : [])
  ])
