import type { Api } from "#testing/Api"

/** The body of a line of NDJSON. */
export type Row = Readonly<Record<string, unknown>>

/** The hash that bcrypt makes of `PASSWORD` at little cost. */
export const BCRYPT = "$2y$04$9VWnZNXkQdSgbbMkA5.M3.c2dI79zwz2AXTeAOsKATf8vtwVHeO9u"

/** A secret of an authenticator app. */
export const OTP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

/** The JSON texts of the lines of a response. */
export const linesOf = (text: string): ReadonlyArray<Row> =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

/** The rows of an export, without its first and its last line. */
export const exportedRows = (text: string): ReadonlyArray<Row> => linesOf(text).slice(1, -1)

/** The body with these rows; a text stands for itself. */
export const bodyOf = (rows: ReadonlyArray<Row | string>): string =>
  rows.map((row) => `${typeof row === "string" ? row : JSON.stringify(row)}\n`).join("")

/** What an import was answered with. */
export interface Imported {
  readonly status: number
  readonly refused: ReadonlyArray<Row>
  readonly summary: Row
}

/** Imports rows. `query` begins with a question mark. */
export const importRows = async (
  api: Api,
  rows: ReadonlyArray<Row | string> | string,
  query = ""
): Promise<Imported> => {
  const body = typeof rows === "string" ? rows : bodyOf(rows)
  const reply = await api.post(`/v2/imports${query}`, body, { "content-type": "application/x-ndjson" })
  if (reply.status !== 200) throw new Error(`The import was refused: ${reply.status} ${reply.text}`)
  const lines = linesOf(reply.text)
  return { status: reply.status, refused: lines.slice(0, -1), summary: lines.at(-1) ?? {} }
}

/** The text of an export. */
export const exportOf = async (api: Api): Promise<string> => {
  const reply = await api.get("/v2/exports")
  if (reply.status !== 200) throw new Error(`The export was refused: ${reply.status} ${reply.text}`)
  return reply.text
}

/** What became of the rows, in the order of the summary. */
export const counts = ({ summary }: Imported) => {
  const { created, updated, unchanged, refused } = summary
  return { created, updated, unchanged, refused }
}

/** The lines that were refused, each with the fields and codes of its problems. */
export const refusals = ({ refused }: Imported) =>
  refused.map(({ line, error_details: details }) => [
    line,
    ...(Array.isArray(details) ? details.map(({ field, code }) => `${field} ${code}`) : [])
  ])
