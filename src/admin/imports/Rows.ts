import type { UserRow } from "#client/generated/types/UserRow"
import { rowOf } from "./Columns.ts"
import type { RejectedRow, SourceRow } from "./Sending.ts"
import type { importTexts } from "./Texts.ts"
import type { UserFile } from "./UserFile.ts"

/** The rows of a file, and the lines that can't be sent. */
export interface Rows {
  readonly rows: ReadonlyArray<SourceRow>
  readonly refused: ReadonlyArray<RejectedRow>
}

/** The members to use as references if the table has none. */
export interface ReferenceSources {
  /** Whether to use the email as the user's reference. */
  readonly email: boolean
  /** Whether to use the org's name as its reference. */
  readonly orgName: boolean
}

const withReferences = (row: UserRow, { email, orgName }: ReferenceSources): UserRow => ({
  ...row,
  ...(email && row.email !== undefined ? { reference: row.email } : {}),
  ...(orgName && Array.isArray(row.memberships)
    ? {
        memberships: row.memberships.map(({ org, ...membership }) => ({
          ...membership,
          org: { ...org, reference: org?.name }
        }))
      }
    : {})
})

/**
 * Builds rows from a file. `chosen`: the member for each column. Duplicate references are rejected here, because the
 * service sees only one batch at a time.
 */
export const rowsOf = (
  file: UserFile,
  chosen: ReadonlyArray<string>,
  standIns: ReferenceSources,
  t: (typeof importTexts)["en"]
): Rows => {
  const rows: Array<SourceRow> = []
  const refused: Array<RejectedRow> = []
  const seen = new Map<string, number>()
  const records =
    file.format === "csv" ? file.records.map(({ line, cells }) => ({ line, row: rowOf(chosen, cells) })) : file.records
  for (const { line, row: found } of records) {
    if (found === undefined) {
      refused.push({ line, reference: "", errors: [t.notObject] })
      continue
    }
    const row = withReferences(found, standIns)
    const reference = row.reference ?? ""
    const before = seen.get(reference)
    if (reference !== "" && before !== undefined) refused.push({ line, reference, errors: [t.duplicate(before)] })
    else rows.push({ line, row })
    seen.set(reference, before ?? line)
  }
  return { rows, refused }
}
