/** The time a test file may take, in milliseconds, on a quiet machine of two cores. */
const USUAL = 5_000

/** Files that may take longer, each with the reason. */
const larger: ReadonlyArray<readonly [file: string, millis: number, reason: string]> = []

/** The budget of a file, in milliseconds. */
export const budgetOf = (file: string): number => larger.find(([name]) => file.endsWith(name))?.[1] ?? USUAL
