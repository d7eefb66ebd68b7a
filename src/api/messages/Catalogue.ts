import type { LimitName } from "#domain/Limit"
import type { Locale } from "#domain/Locale"

/**
 * One language: its messages by code, and the names of fields whose wire name does not read well. What stands in square
 * brackets is said only where its value is known.
 */
export interface Catalogue {
  readonly language: Locale
  readonly sentences: Readonly<Record<string, string>>
  /** What each rate limit counts, and whose it is. */
  readonly limits: Readonly<Record<LimitName, string>>
  readonly fields: Readonly<Record<string, string>>
}
