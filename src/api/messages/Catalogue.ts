import type { LimitName } from "#domain/Limit"
import type { Locale } from "#domain/Locale"

/**
 * The messages of one language, keyed by code, and labels for fields whose names don't work as labels. Square brackets in a
 * message mark a part that is omitted if its values are unknown.
 */
export interface Catalogue {
  readonly language: Locale
  readonly sentences: Readonly<Record<string, string>>
  /** A description of what each rate limit counts, and for whom. */
  readonly limits: Readonly<Record<LimitName, string>>
  readonly fields: Readonly<Record<string, string>>
}
