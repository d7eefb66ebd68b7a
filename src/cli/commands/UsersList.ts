import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { User } from "#client/generated/types/User"
import type { UserItem } from "#client/generated/types/UserItem"
import { fields } from "../Fields.ts"
import { limitFlag, realmFlag, requireLimit, textFlag } from "../Flags.ts"
import { limitedList, printList } from "../LimitedList.ts"
import { print } from "../Output.ts"
import { remoteIn } from "../Remote.ts"
import { timeText } from "../Time.ts"
import { readOnly } from "../WorkDone.ts"

const search = Argument.String("search").pipe(
  Argument.optional,
  Argument.withDescription("The beginning of an email, name, username, ID or reference. Default: all users")
)

/** The state of a user, with the date on which the account will be deleted. */
const stateOf = ({ state, deletion_at = null }: Pick<UserItem, "state" | "deletion_at">): string =>
  deletion_at === null ? state : `${state}, deletes on ${timeText(deletion_at).slice(0, 10)}`

/** `sallyport users list` */
export const usersList = Command.make(
  "list",
  {
    search,
    email: textFlag("email", "email", "Only the user with this email, also if it is not verified yet"),
    reference: textFlag("reference", "text", "Only users with this reference"),
    state: Flag.Literals("state", ["active", "inactive"]).pipe(
      Flag.withMetavar("<state>"),
      Flag.optional,
      Flag.withDescription("Only users in this state. Default: all")
    ),
    limit: limitFlag("users"),
    realm: realmFlag
  },
  Effect.fnUntraced(function* ({ search, email, reference, state, limit, realm }) {
    const { read } = yield* remoteIn(realm)
    yield* requireLimit(limit)
    const found = yield* read((sallyport, options) =>
      limitedList(limit, (max_results) =>
        sallyport.users.list(
          {
            max_results,
            search: Option.getOrUndefined(search),
            email: Option.getOrUndefined(email),
            reference: Option.getOrUndefined(reference),
            state: Option.getOrUndefined(state)
          },
          options
        )
      )
    )
    yield* printList("users", found, ["ID", "EMAIL", "NAME", "STATE", "LAST LOGIN"], (user) => [
      user.id,
      user.email ?? "",
      user.name,
      stateOf(user),
      timeText(user.last_login_at, "never")
    ])
  }, readOnly)
).pipe(
  Command.withDescription("Lists users by email. Times are in UTC."),
  Command.withShortDescription("Lists and finds users"),
  Command.withExamples([
    { command: "sallyport users list ada" },
    { command: "sallyport users list --state inactive --json" }
  ])
)

/** A user, as an argument. */
export const userArgument = Argument.String("user").pipe(Argument.withDescription("The ID or email of the user"))

const credentialsOf = ({ credentials }: User) =>
  [...new Set(credentials.map(({ credential_type }) => credential_type))].join(", ")

const membershipText = ({ org, org_id, permissions }: NonNullable<User["memberships"]>[number]): string =>
  `${org?.name ?? "no org"}${org_id === null ? "" : ` (${org_id})`}${permissions.length === 0 ? "" : `: ${permissions.join(" ")}`}`

const shown = (user: User): string => {
  const members = {
    ID: user.id,
    Name: user.name,
    Email: `${user.email ?? ""}${user.email_verification === "verified" ? " (verified)" : ""}`,
    "New email": user.email_pending ?? "",
    Username: user.username ?? "",
    Reference: user.reference ?? "",
    State: stateOf(user),
    "Login methods": credentialsOf(user) || "none",
    Orgs: (user.memberships ?? []).map(membershipText).join(", "),
    Custom: Object.keys(user.custom).length === 0 ? "" : JSON.stringify(user.custom),
    "Last login": timeText(user.last_login_at, "never"),
    Created: timeText(user.created_at),
    Realm: user.realm_id
  }
  return fields(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== "")))
}

/** `sallyport users get` */
export const usersGet = Command.make(
  "get",
  { user: userArgument, realm: realmFlag },
  Effect.fnUntraced(function* ({ user, realm }) {
    const { read } = yield* remoteIn(realm)
    const found = yield* read((sallyport, options) => sallyport.users.get(user, { expand: "memberships" }, options))
    yield* print(found, shown(found))
  }, readOnly)
).pipe(
  Command.withDescription("Shows a user with login methods and orgs, or everything with --json. Times are in UTC."),
  Command.withShortDescription("Shows a user"),
  Command.withExamples([{ command: "sallyport users get ada@example.com" }])
)
