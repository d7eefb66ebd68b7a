import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Org } from "#client/generated/types/Org"
import { fields } from "../Fields.ts"
import { limitFlag, realmFlag, requireLimit, textFlag } from "../Flags.ts"
import { limitedList, printList } from "../LimitedList.ts"
import { print } from "../Output.ts"
import { remoteIn, withRemote } from "../Remote.ts"
import { timeText } from "../Time.ts"
import { readOnly } from "../WorkDone.ts"

const search = Argument.String("search").pipe(
  Argument.optional,
  Argument.withDescription("The beginning of a name, ID or reference. Default: all orgs")
)

const list = Command.make(
  "list",
  {
    search,
    reference: textFlag("reference", "text", "Only orgs with this reference"),
    state: Flag.Literals("state", ["active", "inactive", "closed"]).pipe(
      Flag.withMetavar("<state>"),
      Flag.optional,
      Flag.withDescription("Only orgs in this state. Default: all")
    ),
    limit: limitFlag("orgs"),
    realm: realmFlag
  },
  Effect.fnUntraced(function* ({ search, reference, state, limit, realm }) {
    const { read } = yield* remoteIn(realm)
    yield* requireLimit(limit)
    const found = yield* read((sallyport, options) =>
      limitedList(limit, (max_results) =>
        sallyport.orgs.list(
          {
            max_results,
            search: Option.getOrUndefined(search),
            reference: Option.getOrUndefined(reference),
            state: Option.getOrUndefined(state)
          },
          options
        )
      )
    )
    yield* printList("orgs", found, ["ID", "NAME", "STATE", "REFERENCE", "CREATED"], (org) => [
      org.id,
      org.name,
      org.state,
      org.reference ?? "",
      timeText(org.created_at)
    ])
  }, readOnly)
).pipe(
  Command.withDescription("Lists orgs by name. Times are in UTC."),
  Command.withShortDescription("Lists and finds orgs"),
  Command.withExamples([{ command: "sallyport orgs list acme" }])
)

const id = Argument.String("org_id").pipe(
  Argument.withDescription("The ID of the org, such as org_01m7y8xyj4bmw0ek0bz2h2g9tn")
)

const shown = (org: Org): string => {
  const members = {
    ID: org.id,
    Name: org.name,
    State: org.state,
    Reference: org.reference ?? "",
    Custom: Object.keys(org.custom).length === 0 ? "" : JSON.stringify(org.custom),
    Created: timeText(org.created_at),
    Realm: org.realm_id
  }
  return fields(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== "")))
}

const get = Command.make(
  "get",
  { id, realm: realmFlag },
  Effect.fnUntraced(function* ({ id, realm }) {
    const { read } = yield* remoteIn(realm)
    const org = yield* read((sallyport, options) => sallyport.orgs.get(id, {}, options))
    yield* print(org, shown(org))
  }, readOnly)
).pipe(
  Command.withDescription("Shows an org. sallyport memberships list --org <org_id> lists its members."),
  Command.withShortDescription("Shows an org"),
  Command.withExamples([{ command: "sallyport orgs get org_01m7y8xyj4bmw0ek0bz2h2g9tn" }])
)

/** The `orgs` command. */
export const orgs = Command.make("orgs").pipe(
  Command.withDescription("Lists and shows orgs"),
  Command.withSubcommands([list, get]),
  withRemote
)
