import { Effect, Option, type Schema, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import type { ReportedFinding } from "../doctor/Examination.ts"
import { counted } from "../doctor/Finding.ts"
import { lineOf, summaryOf } from "../doctor/FindingLines.ts"
import type { Place } from "../doctor/Subject.ts"
import { Environment } from "../Environment.ts"
import { AsJson, print } from "../Output.ts"
import { Fetch, optionalRemote, withRemote } from "../Remote.ts"
import { Screen } from "../Screen.ts"
import { type Style, styleOf } from "../Style.ts"

const mailTo = Flag.String("mail-to").pipe(
  Flag.withMetavar("<address>"),
  Flag.optional,
  Flag.withDescription("Also send a test email to this address")
)

const webhookUrl = Flag.String("webhook-url").pipe(
  Flag.withMetavar("<url>"),
  Flag.optional,
  Flag.withDescription("Also post a signed test message to this URL, like a webhook")
)

/** The headings above the findings, by place. */
const headings = (url: string | undefined, { bold }: Style): Readonly<Record<Place, string>> => ({
  settings: `${bold("Settings of this environment")}\n`,
  service: `\n${bold(url === undefined ? "Service on this machine" : `Service at ${url}`)}\n`
})

/** Checks everything that the service needs and suggests fixes. Changes nothing. */
export const doctor = Command.make(
  "doctor",
  { mailTo, webhookUrl },
  Effect.fnUntraced(function* (options) {
    const { examine } = yield* Effect.promise(() => import("../doctor/Examination.ts"))
    const { all: environment } = yield* Environment
    const { out, outIsTerminal, noColor } = yield* Screen
    const { url, key } = yield* optionalRemote
    const isJson = yield* AsJson
    const style = styleOf(outIsTerminal, noColor)
    const titles = headings(url, style)
    const found: Array<ReportedFinding> = []
    yield* examine({
      environment,
      url,
      key,
      mailTo: Option.getOrUndefined(options.mailTo),
      webhookUrl: Option.getOrUndefined(options.webhookUrl),
      fetch: yield* Fetch
    }).pipe(
      Stream.runForEach((one) => {
        const heading = found.at(-1)?.place === one.place ? "" : titles[one.place]
        found.push(one)
        return isJson ? Effect.void : out(heading + lineOf(one.check, one, style))
      })
    )
    const problems = found.filter(({ verdict }) => verdict === "problem").length
    const json: Schema.Json = {
      ok: problems === 0,
      checks: found.map(({ check, place, verdict, says, todo }) => ({
        check,
        place,
        verdict,
        says,
        todo: todo ?? null
      }))
    }
    yield* print(json, `\n${summaryOf(found)}`)
    if (problems > 0) {
      return yield* new CommandFailed({ happened: `${counted(problems, "problem")} found.`, done: "" })
    }
  })
).pipe(
  Command.withDescription(
    "Checks everything the service needs: configuration, database, clock, mail server, webhooks, proxy, certificate and secrets. Reads the same settings as the service, suggests how to fix each problem, and changes nothing. Exit code 1 if there is a problem."
  ),
  Command.withShortDescription("Checks everything the service needs and suggests fixes"),
  Command.withExamples([
    { command: "sallyport doctor", description: "With this environment's settings" },
    {
      command: "sallyport doctor --url http://10.0.0.5:3000 --mail-to me@example.com",
      description: "Another node, and a test email"
    }
  ]),
  withRemote
)
