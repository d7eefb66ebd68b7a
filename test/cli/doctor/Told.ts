import { expect } from "vitest"
import type { Finding } from "#cli/doctor/Finding"

/** What is found, as verdict and sentence; what is to be done comes with every warning and problem, and with nothing else. */
export const told = (found: Finding | ReadonlyArray<Finding>) =>
  [found].flat().map(({ verdict, says, todo }) => {
    expect([says, todo !== undefined]).toEqual([says, verdict === "warning" || verdict === "problem"])
    return `${verdict}: ${says}`
  })
