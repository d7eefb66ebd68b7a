import { DateTime } from "effect"

/** How many rows one statement inserts at most: it may bind 32,767 values in all. */
export const ROWS_AT_ONCE = 1_000

/** A timestamptz column as the domain has it. */
export const utc = (column: Date): DateTime.Utc => DateTime.fromDateUnsafe(column)

export const utcOrNull = (column: Date | null): DateTime.Utc | null => (column === null ? null : utc(column))

/** A point in time as a timestamptz parameter. */
export const date = (at: DateTime.Utc): Date => DateTime.toDateUtc(at)

export const dateOrNull = (at: DateTime.Utc | null): Date | null => (at === null ? null : date(at))
