import { whole } from "../../test/harness/Figures.ts"
import type { InvitationExpiry } from "../scenarios/InvitationExpiry.ts"
import type { RealmDeletion } from "../scenarios/RealmDeletion.ts"

export const realmDeletionRows = (
  realmDeletions: ReadonlyArray<RealmDeletion>,
  invitationExpiries: ReadonlyArray<InvitationExpiry>
): ReadonlyArray<ReadonlyArray<string>> => [
  ...realmDeletions.flatMap(({ users, rows, millisUntilGone, seconds, sparedRows, wrong }) => [
    [`realm of ${whole(users)} users deleted: until 404, ms`, millisUntilGone.toFixed(0), ""],
    [`until its ${whole(rows)} rows are cleared, with a SIGKILL in the middle, s`, seconds.toFixed(1), ""],
    ["rows per second", whole(rows / seconds), ""],
    [`rows left, or changed among ${whole(sparedRows)} rows of another realm`, String(wrong), ""]
  ]),
  ...invitationExpiries.flatMap(({ invitations, secondsFromDue, secondsAtWork, wrong }) => [
    [
      `${whole(invitations)} invitations due at once, three processes: until the last is gone, s`,
      secondsFromDue.toFixed(1),
      ""
    ],
    [
      "from the first to the last, s; per second",
      `${secondsAtWork.toFixed(1)}; ${whole(invitations / secondsAtWork)}`,
      ""
    ],
    ["not expired exactly once", wrong === 0 ? "none" : "some", ""]
  ])
]
