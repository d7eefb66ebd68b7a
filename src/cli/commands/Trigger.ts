import { Clock, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { NotFound } from "#client/Errors"
import { randomKey } from "#client/Randomness"
import { nearestName } from "#domain/NearestName"
import { WrongUsage } from "../CommandFailed.ts"
import { confirm, Yes } from "../Confirmation.ts"
import { realmFlag } from "../Flags.ts"
import { print } from "../Output.ts"
import { type Remote, remoteIn, withRemote } from "../Remote.ts"
import { triggers } from "../trigger/Triggers.ts"
import { visible } from "../Visible.ts"

const type = Argument.String("event_type").pipe(
  Argument.optional,
  Argument.withDescription("The type of the event. Default: list the known types")
)

const known = Object.keys(triggers)

/** The realm that is not for tests, or undefined if events may be caused without asking. */
const liveRealm = ({ read, realmId }: Remote) =>
  read(async (sallyport, options) => {
    // Without a realm, the key is bound to its only one, or the trigger itself fails.
    const id = realmId ?? (await sallyport.realms.list({ max_results: 1 }, options)).items[0]?.id
    const realm = id === undefined ? undefined : await sallyport.realms.get(id, {}, options)
    if (realm === undefined || realm.environment === "test") return undefined
    const isTestMode = await sallyport.test.read(options).then(
      () => true,
      (error: unknown) => {
        if (error instanceof NotFound) return false
        throw error
      }
    )
    return isTestMode ? undefined : realm
  })

/** Causes an event by making the change that it is about. */
export const trigger = Command.make(
  "trigger",
  { type, realm: realmFlag, yes: Yes },
  Effect.fnUntraced(function* ({ type, realm, yes }) {
    if (Option.isNone(type)) return yield* print(known, known.join("\n"))
    const run = Object.hasOwn(triggers, type.value) ? triggers[type.value] : undefined
    if (run === undefined) {
      const nearest = nearestName(type.value, known)
      return yield* new WrongUsage({
        happened: `The event type ${type.value} can't be triggered.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
        todo: "sallyport trigger lists the types."
      })
    }
    const remote = yield* remoteIn(realm)
    const live = yes ? undefined : yield* liveRealm(remote)
    if (live !== undefined) {
      yield* confirm(
        `The realm ${live.name} (${live.id}) is not a test realm. The event is real: its users or orgs are created, and its emails and webhooks are sent.`,
        live.name,
        false
      )
    }
    const name = `trigger-${(yield* Clock.currentTimeMillis).toString(36)}`
    const id = yield* remote.change(`${type.value} was triggered.`, (sallyport, options) =>
      run({ sallyport, options, name, password: randomKey() })
    )
    yield* print({ event_type: type.value, id, name }, `${type.value} was triggered with ${id} (${visible(name)}).`)
  })
).pipe(
  Command.withDescription(
    "Causes a real event by making the change that it is about, with a new user or org whose name begins with trigger-. What exists afterward stays, so that a receiver can read it. Asks for the realm's name to confirm, unless the realm is labeled as test or the service is in test mode; in scripts, use --yes. Requires a key of level write."
  ),
  Command.withShortDescription("Causes an event, to test webhooks"),
  withRemote,
  Command.withExamples([
    { command: "sallyport trigger", description: "List the types" },
    { command: "sallyport trigger user.created" }
  ])
)
