import type { LimitName } from "#domain/Limit"
import type { Locale } from "#domain/Locale"

/**
 * One language: its messages by code, and labels for fields whose names do not read well. The parts of a message in square brackets
 * are left out if their values are unknown.
 */
export interface Catalogue {
  readonly language: Locale
  readonly sentences: Readonly<Record<string, string>>
  /** What each rate limit counts, and for whom. */
  readonly limits: Readonly<Record<LimitName, string>>
  readonly fields: Readonly<Record<string, string>>
}
