import { expect } from "vitest"
import type { Finding } from "#cli/doctor/Finding"

/** Formats findings as verdict and sentence. Asserts that exactly the warnings and problems say what to do. */
export const findingsText = (found: Finding | ReadonlyArray<Finding>) =>
  [found].flat().map(({ verdict, says, todo }) => {
    expect([says, todo !== undefined]).toEqual([says, verdict === "warning" || verdict === "problem"])
    return `${verdict}: ${says}`
  })
