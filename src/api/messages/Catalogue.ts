/** One language: its sentences by code, and the names of members that are not just their words. */
export interface Catalogue {
  readonly language: string
  readonly sentences: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string>>
}
