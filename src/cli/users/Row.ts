import type { UserRow } from "#api/imports/Rows"

/** A user as an import takes it. */
export type Row = typeof UserRow.Encoded

export type RowCredential = NonNullable<Row["credentials"]>[number]

export type RowMembership = NonNullable<Row["memberships"]>[number]

/** An object of the input, as the system that it comes from wrote it: of CSV, texts by their columns. */
export type SourceRecord = Readonly<Record<string, unknown>>

/** An object of the input with the line that it begins on, or why there is none, as a sentence. */
export type Read =
  | { readonly line: number; readonly record: SourceRecord }
  | { readonly line: number; readonly error: string }

/** A line of an export that is no user: how it begins, and how it ends. */
export const isMark = ({ object }: SourceRecord): boolean => object === "export" || object === "export_end"
