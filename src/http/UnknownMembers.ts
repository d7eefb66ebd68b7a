import { nearestName } from "#domain/NearestName"
import { type Problem, problem } from "#domain/Rejected"

/** Members accepted in every body (C4, C8). */
const anywhere: ReadonlySet<string> = new Set(["realm_id", "request"])

/** Limits for reports of unknown members: their number, and the length of each reported name in characters. */
const MAX_REPORTED = 20
const MAX_NAME_LENGTH = 64

/** Returns the problems for members that an endpoint of test mode does not know. `members`: those that it knows. */
export const unknownMembers = (others: object, members: ReadonlyArray<string>): ReadonlyArray<Problem> =>
  Object.keys(others)
    .filter((member) => !anywhere.has(member))
    .slice(0, MAX_REPORTED)
    .map((name) => {
      const member = name.slice(0, MAX_NAME_LENGTH).toWellFormed()
      const nearest = nearestName(name, members)
      const known = members.join(", ")
      return problem(member, "unknown_member", { member, known, ...(nearest === undefined ? {} : { nearest }) })
    })
