import { DateTime } from "effect"

/** The maximum number of rows to insert in one statement, since a statement can bind only 32,767 values. */
export const ROWS_AT_ONCE = 1_000

/** Converts a timestamptz column to the domain's date type. */
export const utc = (column: Date): DateTime.Utc => DateTime.fromDateUnsafe(column)

export const utcOrNull = (column: Date | null): DateTime.Utc | null => (column === null ? null : utc(column))

/** Converts a date to a timestamptz parameter. */
export const date = (at: DateTime.Utc): Date => DateTime.toDateUtc(at)

export const dateOrNull = (at: DateTime.Utc | null): Date | null => (at === null ? null : date(at))
