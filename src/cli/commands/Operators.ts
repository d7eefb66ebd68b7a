import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { ApiKey } from "#client/generated/types/ApiKey"
import type { Operator } from "#client/generated/types/Operator"
import type { Sallyport } from "#client/Sallyport"
import { operatorRoles } from "#domain/OperatorRole"
import { allOf } from "../All.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { confirm, Yes } from "../Confirmation.ts"
import { fields } from "../Fields.ts"
import { switchFlag } from "../Flags.ts"
import { print } from "../Output.ts"
import { remote, withRemote } from "../Remote.ts"
import { table } from "../Table.ts"
import { timeText } from "../Time.ts"
import { visible } from "../Visible.ts"
import { readOnly } from "../WorkDone.ts"

type CallOptions = NonNullable<Parameters<Sallyport["operators"]["get"]>[1]>

const accessOf = ({ realm_id }: Operator) => realm_id ?? "all realms"

const allOperators = (sallyport: Sallyport, options: CallOptions) =>
  allOf(sallyport.operators.list({ max_results: 1_000, direction: "asc" }, options))

/** `sallyport operators list` */
const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const { read } = yield* remote
    const operators = yield* read(allOperators)
    const rows = operators.map((one) => [
      one.email,
      one.role,
      accessOf(one),
      one.state,
      timeText(one.last_login_at, "never"),
      one.id
    ])
    yield* print(operators, table([["EMAIL", "ROLE", "ACCESS", "STATE", "LAST LOGIN", "ID"], ...rows]))
  }, readOnly)
).pipe(
  Command.withDescription("Lists the people who log in to the console with their own accounts. Times are in UTC."),
  Command.withShortDescription("Lists operators")
)

const role = Flag.Literals("role", operatorRoles).pipe(
  Flag.withMetavar("<role>"),
  Flag.withDescription(
    "viewer reads; support also helps users; admin changes everything inside realms; owner may do everything"
  )
)

const realm = Flag.String("realm").pipe(
  Flag.withMetavar("<realm_id>"),
  Flag.optional,
  Flag.withDescription("The only realm that the operator can access. Default: all realms")
)

const noEmail = switchFlag("no-email", "Don't email the invitation: only show its link")

/** `sallyport operators invite` */
const invite = Command.make(
  "invite",
  { email: Argument.String("email").pipe(Argument.withDescription("The person's email")), role, realm, noEmail },
  Effect.fnUntraced(function* ({ email, role, realm, noEmail }) {
    const { change } = yield* remote
    const done = `${visible(email)} is invited.`
    const operator = yield* change(done, (sallyport, options) =>
      sallyport.operators.create({ email, role, realm_id: Option.getOrNull(realm), send_email: !noEmail }, options)
    )
    const shown = { Email: operator.email, Role: operator.role, Access: accessOf(operator), Link: operator.url ?? "" }
    const note = noEmail ? "No email was sent." : "The invitation is on its way by email."
    yield* print(
      operator,
      `${fields(shown)}\n\n${note} Anyone with the link can set the account's password. It works once, for 7 days.`
    )
  })
).pipe(
  Command.withDescription(
    "Invites someone to log in to the console with their own account, and shows the invitation's link"
  ),
  Command.withShortDescription("Invites an operator"),
  Command.withExamples([
    { command: "sallyport operators invite ada@example.com --role owner" },
    { command: "sallyport operators invite jo@example.com --role support --realm rl_01m7y8xyj4bmw0ek0bz2h2g9tn" }
  ])
)

const who = Argument.String("operator").pipe(Argument.withDescription("The operator's email or ID"))

/** Finds an operator by email or ID. */
const findOperator = Effect.fnUntraced(function* (text: string) {
  const { read } = yield* remote
  const wanted = text.trim().toLowerCase()
  const found = (yield* read(allOperators)).find(({ id, email }) => id === text.trim() || email === wanted)
  return (
    found ??
    (yield* new CommandFailed({ happened: `There is no operator ${visible(text)}.`, done: "Nothing was changed." }))
  )
})

/** `sallyport operators role` */
const changeRole = Command.make(
  "role",
  {
    who,
    role: Argument.Literals("role", operatorRoles).pipe(Argument.withDescription("The new role"))
  },
  Effect.fnUntraced(function* ({ who, role }) {
    const { change } = yield* remote
    const { id, email } = yield* findOperator(who)
    const done = `${visible(email)} (${id}) is now ${role}.`
    const operator = yield* change(done, (sallyport, options) => sallyport.operators.update(id, { role }, options))
    yield* print(operator, done)
  })
).pipe(
  Command.withDescription("Changes an operator's role, from the operator's next request on"),
  Command.withShortDescription("Changes an operator's role"),
  Command.withExamples([{ command: "sallyport operators role ada@example.com admin" }])
)

const deleteKeys = switchFlag("delete-keys", "Also delete the API keys that the operator created in the console")

type Keys = ReadonlyArray<ApiKey>

const countOf = (keys: Keys): string => (keys.length === 1 ? "1 API key" : `${keys.length} API keys`)

/** The names, levels and IDs of keys, one per line. */
const listOf = (keys: Keys): string =>
  keys.map(({ name, level, id }) => `\n  ${visible(name ?? "")} (${level}, ${id})`).join("")

/** What a removal does with the keys that the operator created, as a sentence after others. */
const fate = (keys: Keys, deletes: boolean): string => {
  if (keys.length === 0) return ""
  const them = keys.length === 1 ? "it" : "them"
  return deletes
    ? ` ${countOf(keys)} that they created will be deleted:${listOf(keys)}`
    : ` ${countOf(keys)} that they created will continue to work. Use --delete-keys to delete ${them}:${listOf(keys)}`
}

const result = (keys: Keys, deletes: boolean): string => {
  if (keys.length === 0) return ""
  if (deletes) return ` ${countOf(keys)} deleted.`
  const [verb, them] = keys.length === 1 ? ["works", "it"] : ["work", "them"]
  return ` ${countOf(keys)} that they created still ${verb}. Delete ${them} with sallyport keys delete:${listOf(keys)}`
}

/** `sallyport operators remove` */
const remove = Command.make(
  "remove",
  { who, deleteKeys, yes: Yes },
  Effect.fnUntraced(function* ({ who, deleteKeys, yes }) {
    const { change, read } = yield* remote
    const { id, email, role } = yield* findOperator(who)
    const keys = yield* read((sallyport, options) =>
      allOf(sallyport.operators.listCreatedKeys(id, { max_results: 1_000 }, options))
    )
    yield* confirm(
      `${email} (${role}) will lose access to the console, and all sessions end.${fate(keys, deleteKeys)}`,
      email,
      yes
    )
    const done = `${visible(email)} (${id}) was removed.${result(keys, deleteKeys)}`
    yield* change(done, (sallyport, options) =>
      sallyport.operators.delete(id, { delete_api_keys: deleteKeys }, options)
    )
    yield* print({ id, deleted: true, api_keys: keys, api_keys_deleted: deleteKeys }, done)
  })
).pipe(
  Command.withDescription(
    "Removes an operator, whose sessions in the console end immediately. The API keys that the operator created there are listed; they continue to work, except with --delete-keys."
  ),
  Command.withShortDescription("Removes an operator"),
  Command.withExamples([
    { command: "sallyport operators remove ada@example.com" },
    { command: "sallyport operators remove ada@example.com --delete-keys" }
  ])
)

/** The `operators` command: the people who log in to the console. */
export const operators = Command.make("operators").pipe(
  Command.withDescription("Lists, invites and removes the people who log in to the console, and changes their roles"),
  Command.withShortDescription("Manages the people who log in to the console"),
  Command.withSubcommands([list, invite, changeRole, remove]),
  withRemote
)
