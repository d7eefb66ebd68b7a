import { Clock, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Hook } from "#client/generated/types/Hook"
import type { HookItem } from "#client/generated/types/HookItem"
import { allOf } from "../All.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { AsJson, print } from "../Output.ts"
import { remote, withRemote } from "../Remote.ts"
import { table } from "../Table.ts"
import { visible } from "../Visible.ts"
import { readOnly } from "../WorkDone.ts"
import { replay } from "./HooksReplay.ts"

const realm = Flag.String("realm").pipe(
  Flag.withMetavar("<realm_id>"),
  Flag.optional,
  Flag.withDescription("Only the hooks of this realm; null for hooks of all realms. Default: all")
)

const type = Flag.Literals("type", ["webhook", "email"]).pipe(
  Flag.withMetavar("<type>"),
  Flag.optional,
  Flag.withDescription("Only hooks of this type. Default: both, webhooks first")
)

const isWebhook = ({ hook_type }: HookItem) => hook_type === "webhook"

/** The maximum number of event types to list. Further types are only counted. */
const MAX_TYPES = 3

const typesText = ({ event_type }: HookItem): string => {
  if (event_type.length === 0) return "all"
  const more = event_type.length - MAX_TYPES
  return `${event_type.slice(0, MAX_TYPES).join(", ")}${more > 0 ? `, ${more} more` : ""}`
}

/** The maximum number of email hooks whose subject is shown. Lists don't include subjects, so each one requires a request. */
const MAX_MAILS = 50

/** The target of a hook: a webhook's URL, or an email's subject and fixed recipient. */
const targetOf = (hook: HookItem, mails: ReadonlyMap<string, Hook>): string => {
  const mail = mails.get(hook.id)
  if (mail?.hook_type !== "email") return hook.destination ?? ""
  const subject = visible(mail.email_subject ?? "")
  return mail.email_to === null ? subject : `${subject} → ${visible(mail.email_to)}`
}

const list = Command.make(
  "list",
  { realm, type },
  Effect.fnUntraced(function* (given) {
    const { read } = yield* remote
    const realmId = Option.getOrUndefined(given.realm)
    const hookType = Option.getOrUndefined(given.type)
    const which = {
      ...(realmId === undefined ? {} : { realm_id: realmId }),
      ...(hookType === undefined ? {} : { hook_type: hookType })
    }
    const listed = yield* read((sallyport, options) =>
      allOf(sallyport.hooks.list({ max_results: 1_000, ...which }, options))
    )
    // Webhooks come first, because every realm has default email hooks.
    const hooks = [...listed.filter(isWebhook), ...listed.filter((hook) => !isWebhook(hook))]
    const isJson = yield* AsJson
    const mailing = hooks.filter((hook) => !isWebhook(hook))
    const shown = isJson || mailing.length > MAX_MAILS ? [] : mailing
    const mails = yield* Effect.forEach(
      shown,
      ({ id }) => read((sallyport, options) => sallyport.hooks.get(id, options)),
      { concurrency: 4 }
    )
    const mailOf = new Map(mails.map((mail) => [mail.id, mail]))
    const rows = hooks.map((hook) => [
      hook.id,
      hook.hook_type,
      hook.state,
      hook.realm_id ?? "all realms",
      typesText(hook),
      targetOf(hook, mailOf)
    ])
    yield* print(hooks, table([["ID", "TYPE", "STATE", "REALM", "EVENTS", "SENDS"], ...rows]))
  }, readOnly)
).pipe(
  Command.withDescription(
    "Lists hooks, which send events as webhooks or emails, with the URL or the email's subject. Subjects are shown for up to 50 email hooks; use --realm to narrow the list."
  ),
  Command.withShortDescription("Lists hooks and what they send")
)

const id = Argument.String("hook_id").pipe(
  Argument.withDescription("The ID of the webhook, such as hk_01m7y8xyj4bmw0ek0bz2h2g9tn")
)

const SECOND = 1_000

const ping = Command.make(
  "ping",
  { id },
  Effect.fnUntraced(function* ({ id }) {
    const { change } = yield* remote
    const sent = yield* Clock.currentTimeMillis
    const answer = yield* change("A test message was sent.", (sallyport, options) =>
      sallyport.hooks.ping(id, undefined, options)
    )
    const took = ((yield* Clock.currentTimeMillis) - sent) / SECOND
    const [result = "no response"] = (answer.result ?? "").split("\n")
    const isDelivered = answer.state === "completed"
    yield* print(
      answer,
      `${answer.destination ?? id} ${isDelivered ? "accepted" : "did not accept"} a test message: ${result} (${took.toFixed(1)} s).`
    )
    if (isDelivered) return
    return yield* new CommandFailed({
      happened: "The test message was not accepted.",
      done: "",
      todo: "Check the receiver's log. Messages are signed with the hook's secret, which the receiver must have."
    })
  })
).pipe(
  Command.withDescription("Sends a signed test message to a webhook's destination and shows the response"),
  Command.withShortDescription("Sends a test message to a webhook")
)

/** The `hooks` command: hooks send events as webhooks or emails. */
export const hooks = Command.make("hooks").pipe(
  Command.withDescription("Lists and tests hooks, and resends missed messages"),
  Command.withSubcommands([list, ping, replay]),
  withRemote
)
