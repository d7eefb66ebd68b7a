import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { WrongUsage } from "../CommandFailed.ts"
import { limitFlag, realmFlag, requireLimit, textFlag } from "../Flags.ts"
import { limitedList, printList } from "../LimitedList.ts"
import { remoteIn, withRemote } from "../Remote.ts"
import { timeText } from "../Time.ts"
import { readOnly } from "../WorkDone.ts"

const list = Command.make(
  "list",
  {
    user: textFlag("user", "user", "Only memberships of this user: an ID or email"),
    org: textFlag("org", "org_id", "Only memberships of this org"),
    limit: limitFlag("memberships"),
    realm: realmFlag
  },
  Effect.fnUntraced(function* ({ user, org, limit, realm }) {
    const { read } = yield* remoteIn(realm)
    if (Option.isNone(user) && Option.isNone(org)) {
      return yield* new WrongUsage({
        happened: "Neither a user nor an org is given.",
        todo: "Use --user, --org or both."
      })
    }
    yield* requireLimit(limit)
    const found = yield* read((sallyport, options) =>
      limitedList(limit, (max_results) =>
        sallyport.memberships.list(
          { max_results, user_id: Option.getOrUndefined(user), org_id: Option.getOrUndefined(org) },
          options
        )
      )
    )
    yield* printList("memberships", found, ["ID", "USER", "ORG", "PERMISSIONS", "EXPIRES"], (membership) => [
      membership.id,
      membership.user?.email ?? membership.user_id,
      membership.org?.name ?? membership.org_id ?? "none",
      membership.permissions.join(" "),
      timeText(membership.expires_at, "never")
    ])
  }, readOnly)
).pipe(
  Command.withDescription(
    "Lists the orgs of a user or the members of an org, with their permissions. With --org, users are shown by email; with --user, orgs by name. Times are in UTC."
  ),
  Command.withShortDescription("Lists memberships of users in orgs"),
  Command.withExamples([
    { command: "sallyport memberships list --user ada@example.com" },
    { command: "sallyport memberships list --org org_01m7y8xyj4bmw0ek0bz2h2g9tn" }
  ])
)

/** The `memberships` command: users in orgs. */
export const memberships = Command.make("memberships").pipe(
  Command.withDescription("Lists the memberships of users in orgs"),
  Command.withSubcommands([list]),
  withRemote
)
