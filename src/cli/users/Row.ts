import type { UserRow } from "#api/imports/Rows"

/** A user in the import's format. */
export type Row = typeof UserRow.Encoded

export type RowCredential = NonNullable<Row["credentials"]>[number]

export type RowMembership = NonNullable<Row["memberships"]>[number]

/** An object of the input in the other system's format. For CSV, it maps columns to strings. */
export type SourceRecord = Readonly<Record<string, unknown>>

/** An object of the input with its line, or an error message. */
export type Read =
  | { readonly line: number; readonly record: SourceRecord }
  | { readonly line: number; readonly error: string }

/** Whether a line is an export's start or end marker rather than a user. */
export const isMark = ({ object }: SourceRecord): boolean => object === "export" || object === "export_end"
