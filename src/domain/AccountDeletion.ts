import { Data } from "effect"
import { type Problem, problem } from "./Rejected.ts"

/** The range of a realm's `account_deletion_days`. 0 deletes accounts at once. */
export const DELETION_DAYS = { least: 0, most: 90 } as const

/** Validates a realm's `account_deletion_days`. */
export const accountDeletionProblems = (days: number | null): ReadonlyArray<Problem> =>
  days === null || (days >= DELETION_DAYS.least && days <= DELETION_DAYS.most)
    ? []
    : [problem("account_deletion_days", "range", DELETION_DAYS)]

/** Users can't delete their accounts in this realm. */
export class AccountDeletionOff extends Data.TaggedError("AccountDeletionOff") {}

/** The user is the only owner of orgs with other members. They must hand over the ownership first. */
export class OrgsNeedOwner extends Data.TaggedError("OrgsNeedOwner")<{ readonly names: ReadonlyArray<string> }> {}
