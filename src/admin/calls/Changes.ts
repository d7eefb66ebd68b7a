/** The values of a form that differ from those before: what an update has to send. */
export const changesIn = <T extends object>(before: T, after: T): Partial<T> => {
  const changed: Partial<T> = { ...after }
  for (const name in after) {
    if (JSON.stringify(before[name]) === JSON.stringify(after[name])) delete changed[name]
  }
  return changed
}

/** Whether an update would send anything. */
export const isChanged = (changes: object): boolean => Object.keys(changes).length > 0

/** The lines of a list without blank ones and without white space around them. */
export const filled = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line) => line.trim()).filter((line) => line !== "")

/** A text, or null in place of a blank one. */
export const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())
