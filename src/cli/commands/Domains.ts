import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Domain } from "#client/generated/types/Domain"
import { orgDomainStates } from "#domain/OrgDomain"
import { confirm, Yes } from "../Confirmation.ts"
import { fields } from "../Fields.ts"
import { limitFlag, realmFlag, requireLimit, textFlag } from "../Flags.ts"
import { limitedList, printList } from "../LimitedList.ts"
import { print } from "../Output.ts"
import { remoteIn, withRemote } from "../Remote.ts"
import { timeText } from "../Time.ts"
import { visible } from "../Visible.ts"
import { readOnly } from "../WorkDone.ts"

const EXAMPLE_ID = "dom_01m7y8xyj4bmw0ek0bz2h2g9tn"

const id = Argument.String("domain_id").pipe(Argument.withDescription(`The ID of the domain, such as ${EXAMPLE_ID}`))

const shown = (domain: Domain): string =>
  fields({
    Domain: domain.domain,
    ID: domain.id,
    Org: domain.org_id,
    State: domain.state,
    "TXT record": domain.txt.name,
    Value: domain.txt.value,
    "Last check": timeText(domain.checked_at, "never"),
    "Next check": timeText(domain.next_check_at, "none"),
    ...(domain.problem === null ? {} : { Problem: domain.problem.message })
  })

/** `sallyport domains list` */
const list = Command.make(
  "list",
  {
    org: textFlag("org", "org_id", "Only domains of this org"),
    state: Flag.Literals("state", orgDomainStates).pipe(
      Flag.withMetavar("<state>"),
      Flag.optional,
      Flag.withDescription(`Only domains in this state: ${orgDomainStates.join(", ")}`)
    ),
    limit: limitFlag("domains"),
    realm: realmFlag
  },
  Effect.fnUntraced(function* ({ org, state, limit, realm }) {
    const { read } = yield* remoteIn(realm)
    yield* requireLimit(limit)
    const filter = { org_id: Option.getOrUndefined(org), state: Option.getOrUndefined(state) }
    const found = yield* read((sallyport, options) =>
      limitedList(limit, (max_results) => sallyport.domains.list({ max_results, ...filter }, options))
    )
    yield* printList("domains", found, ["ID", "DOMAIN", "STATE", "ORG", "LAST CHECK", "PROBLEM"], (domain) => [
      domain.id,
      domain.domain,
      domain.state,
      domain.org_id,
      timeText(domain.checked_at, "never"),
      domain.problem?.code ?? ""
    ])
  }, readOnly)
).pipe(
  Command.withDescription("Lists the email domains of orgs, with the results of their last checks. Times are in UTC."),
  Command.withShortDescription("Lists domains"),
  Command.withExamples([
    { command: "sallyport domains list --org org_01m7y8xyj4bmw0ek0bz2h2g9tn" },
    { command: "sallyport domains list --state lost" }
  ])
)

/** `sallyport domains get` */
const get = Command.make(
  "get",
  { id, realm: realmFlag },
  Effect.fnUntraced(function* ({ id, realm }) {
    const { read } = yield* remoteIn(realm)
    const domain = yield* read((sallyport, options) => sallyport.domains.get(id, options))
    yield* print(domain, shown(domain))
  }, readOnly)
).pipe(
  Command.withDescription("Shows a domain with the TXT record that proves it"),
  Command.withShortDescription("Shows a domain"),
  Command.withExamples([{ command: `sallyport domains get ${EXAMPLE_ID}` }])
)

/** `sallyport domains add` */
const add = Command.make(
  "add",
  {
    org: Argument.String("org_id").pipe(Argument.withDescription("The ID of the org")),
    domain: Argument.String("domain").pipe(Argument.withDescription("The domain, such as example.com")),
    realm: realmFlag
  },
  Effect.fnUntraced(function* ({ org, domain, realm }) {
    const { change } = yield* remoteIn(realm)
    const added = yield* change(`${visible(domain)} was added.`, (sallyport, options) =>
      sallyport.domains.create({ org_id: org, domain }, options)
    )
    const next = `Create the TXT record at the domain's DNS provider, then run sallyport domains verify ${added.id}`
    yield* print(added, `${shown(added)}\n\n${next}`)
  })
).pipe(
  Command.withDescription("Adds an email domain to an org, and shows the TXT record that proves it"),
  Command.withShortDescription("Adds a domain to an org"),
  Command.withExamples([{ command: "sallyport domains add org_01m7y8xyj4bmw0ek0bz2h2g9tn example.com" }])
)

/** `sallyport domains verify` */
const verify = Command.make(
  "verify",
  { id, realm: realmFlag },
  Effect.fnUntraced(function* ({ id, realm }) {
    const { change } = yield* remoteIn(realm)
    const domain = yield* change(`The domain ${visible(id)} was checked.`, (sallyport, options) =>
      sallyport.domains.verify(id, undefined, options)
    )
    yield* print(domain, shown(domain))
  })
).pipe(
  Command.withDescription("Looks up a domain's TXT record now, and shows the result"),
  Command.withShortDescription("Checks a domain now"),
  Command.withExamples([{ command: `sallyport domains verify ${EXAMPLE_ID}` }])
)

/** `sallyport domains remove` */
const remove = Command.make(
  "remove",
  { id, realm: realmFlag, yes: Yes },
  Effect.fnUntraced(function* ({ id, realm, yes }) {
    const { read, change } = yield* remoteIn(realm)
    const { domain, org_id: org } = yield* read((sallyport, options) => sallyport.domains.get(id, options))
    yield* confirm(`${org} will no longer own ${domain}, and another org can verify it.`, domain, yes)
    const done = `${visible(domain)} (${id}) was removed.`
    yield* change(done, (sallyport, options) => sallyport.domains.delete(id, options))
    yield* print({ id, deleted: true }, done)
  })
).pipe(
  Command.withDescription(
    "Removes a domain from its org. Another org can then verify it. Asks for the domain to confirm; in scripts, use --yes."
  ),
  Command.withShortDescription("Removes a domain"),
  Command.withExamples([{ command: `sallyport domains remove ${EXAMPLE_ID}` }])
)

/** The `domains` command: email domains of orgs. */
export const domains = Command.make("domains").pipe(
  Command.withDescription("Lists, adds, checks and removes the email domains of orgs"),
  Command.withShortDescription("Manages the email domains of orgs"),
  Command.withSubcommands([list, get, add, verify, remove]),
  withRemote
)
