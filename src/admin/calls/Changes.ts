/** Returns the form values that differ from the previous ones. Only these are sent in an update. */
export const changesIn = <T extends object>(before: T, after: T): Partial<T> => {
  const changed: Partial<T> = { ...after }
  for (const name in after) {
    if (JSON.stringify(before[name]) === JSON.stringify(after[name])) delete changed[name]
  }
  return changed
}

/** Whether there are any changes to send. */
export const isChanged = (changes: object): boolean => Object.keys(changes).length > 0

/** Trims the lines of a list and drops blank ones. */
export const nonBlankLines = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line) => line.trim()).filter((line) => line !== "")

/** The trimmed text, or null if it is blank. */
export const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())
