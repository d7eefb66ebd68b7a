import { readFile } from "node:fs/promises"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed, parsed, WrongUsage } from "../CommandFailed.ts"
import { realmFlag, severalFlag, switchFlag } from "../Flags.ts"
import { AsJson, printStatus } from "../Output.ts"
import { remoteIn } from "../Remote.ts"
import { Screen } from "../Screen.ts"
import { type Imported, importUsers } from "../users/Import.ts"
import type { ImportJob } from "../users/ImportJob.ts"
import { rowsOf } from "../users/ImportState.ts"
import { openFile, openStream } from "../users/InputFile.ts"
import { lossesJson, lossMessages } from "../users/Losses.ts"
import { mappedOf } from "../users/Mapping.ts"
import { count, duration, numeral } from "../users/Messages.ts"
import { firebaseHashOf } from "../users/presets/Firebase.ts"
import { presetNames, presets } from "../users/presets/Presets.ts"
import { inputFormats } from "../users/Records.ts"
import { rejectedRowLines } from "../users/RejectionMessages.ts"
import { StandardStreams } from "../users/StandardStreams.ts"
import { textEncodingNames } from "../users/TextEncodings.ts"

const file = Argument.String("file").pipe(
  Argument.optional,
  Argument.withDescription("The file with the users, optionally compressed with gzip; - for stdin (the default)")
)

const preset = Flag.Literals("preset", presetNames).pipe(
  Flag.withMetavar("<system>"),
  Flag.optional,
  Flag.withDescription("The system that the file was exported from")
)

const format = Flag.Literals("format", inputFormats).pipe(
  Flag.withMetavar("<format>"),
  Flag.optional,
  Flag.withDescription("The format of the file. Default: detected from its name and content")
)

const encoding = Flag.Literals("encoding", textEncodingNames).pipe(
  Flag.withMetavar("<encoding>"),
  Flag.withDefault("utf-8"),
  Flag.withDescription("The text encoding: latin1 for CSV files saved by Excel on Windows. Default: utf-8")
)

const map = severalFlag(
  "map",
  "column=member",
  "What a column becomes: mail=email, plan=custom.plan, or notes= to skip it. Can be repeated"
)

const dryRun = switchFlag("dry-run", "Check all rows without writing anything")

const events = switchFlag("events", "Record an event for each change and send it to webhooks")

const report = Flag.String("report").pipe(
  Flag.withMetavar("<file>"),
  Flag.optional,
  Flag.withDescription("The file that lists rejected rows. Default: next to the input, ending with .refused.ndjson")
)

const firebaseHash = Flag.String("firebase-hash").pipe(
  Flag.withMetavar("<file>"),
  Flag.optional,
  Flag.withDescription("The file with the hash_config from the Firebase console, to import passwords")
)

const withoutProfiles = switchFlag(
  "without-profiles",
  "Don't import profiles at providers such as Google, for realms without these providers"
)

const readHash = Effect.fnUntraced(function* (path: string) {
  const config = yield* Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (cause) => new WrongUsage({ happened: `${path} can't be read: ${String(cause)}` })
  })
  const hash = firebaseHashOf(config)
  if (hash !== undefined) return hash
  return yield* new WrongUsage({
    happened: `${path} doesn't contain a Firebase project's hash_config.`,
    todo: "Copy it from the Firebase console: Authentication, Users, the three dots, Password hash parameters. It has base64_signer_key, base64_salt_separator, rounds and mem_cost."
  })
})

const resultText = ({ totals, before, seconds }: Imported, dryRun: boolean): string => {
  const { created, updated, unchanged, refused, orgs_created: orgs } = totals
  const rows = rowsOf(totals) - before
  const rate = seconds < 1 ? "" : `, ${numeral(Math.round(rows / seconds))} a second`
  const head = dryRun
    ? `Checked ${count(rows, "row")} in ${duration(seconds)}${rate}. Nothing was written. An import would do this:`
    : `Processed ${count(rows, "row")} in ${duration(seconds)}${rate}${before === 0 ? "" : `, after ${count(before, "row")} of an earlier run`}:`
  const all: ReadonlyArray<readonly [string, number]> = [
    ["created", created],
    ["updated", updated],
    ["unchanged", unchanged],
    ["refused", refused],
    [orgs === 1 ? "org created" : "orgs created", orgs]
  ]
  const shown = all.filter(([name, number]) => number > 0 || name === "created")
  const width = Math.max(...shown.map(([, number]) => numeral(number).length))
  return [head, ...shown.map(([name, number]) => `  ${numeral(number).padStart(width)} ${name}`)].join("\n")
}

const show = Effect.fnUntraced(function* (imported: Imported, { query, report, preset }: ImportJob) {
  const screen = yield* Screen
  const { totals, before, seconds, conversion, withoutSecrets } = imported
  if (yield* AsJson) {
    const json = {
      object: "import",
      dry_run: query.dryRun,
      rows: rowsOf(totals),
      rows_of_earlier_runs: before,
      ...totals,
      unanswered_rows: imported.unanswered,
      seconds: Math.round(seconds * 1000) / 1000,
      report: totals.refused === 0 ? null : report,
      left_out: lossesJson(conversion.losses)
    }
    yield* screen.out(`${JSON.stringify(json)}\n`)
    return
  }
  yield* screen.out(`${resultText(imported, query.dryRun)}\n`)
  const lossNotes = lossMessages(conversion.losses, preset === undefined ? undefined : presets[preset])
  const secrets = withoutSecrets
    ? ["The export contains no passwords, because it was made with a key below level admin_all_realms."]
    : []
  const again =
    imported.unanswered === 0
      ? []
      : [
          `Up to ${numeral(imported.unanswered)} of the unchanged rows may have been written by an earlier run, which sent them but received no response.`
        ]
  for (const sentence of [...again, ...lossNotes, ...secrets]) yield* printStatus(sentence)
})

/** `sallyport users import` */
export const usersImport = Command.make(
  "import",
  { file, realm: realmFlag, preset, format, encoding, map, dryRun, events, report, firebaseHash, withoutProfiles },
  Effect.fnUntraced(function* (given) {
    const to = yield* remoteIn(given.realm)
    const { input } = yield* StandardStreams
    const path = Option.getOrUndefined(Option.filter(given.file, (name) => name !== "-"))
    if (path === undefined && input.isTTY === true) {
      return yield* new WrongUsage({
        happened: "No input. Give a file, or pipe users into the command.",
        todo: "sallyport users import users.ndjson --realm rl_…"
      })
    }
    const hash = Option.getOrUndefined(given.firebaseHash)
    const job: ImportJob = {
      open: path === undefined ? async () => openStream(input) : () => openFile(path),
      file: path,
      format: Option.getOrUndefined(given.format),
      encoding: given.encoding,
      preset: Option.getOrUndefined(given.preset),
      options: {
        profiles: !given.withoutProfiles,
        firebaseHash: hash === undefined ? undefined : yield* readHash(hash)
      },
      maps: yield* parsed(() => given.map.map(mappedOf)),
      query: { realm: to.realmId, dryRun: given.dryRun, events: given.events },
      report: Option.getOrElse(given.report, () => `${path === undefined ? "" : `${path}.`}refused.ndjson`)
    }
    const imported = yield* importUsers(job, to)
    yield* show(imported, job)
    const { refused } = imported.totals
    if (refused === 0) return
    for (const line of rejectedRowLines(imported.refused, refused)) yield* printStatus(line)
    const encodingHint =
      imported.hasEncodingErrors && given.encoding === "utf-8"
        ? " Some are not UTF-8. For files saved by Excel on Windows, use --encoding latin1."
        : ""
    return yield* new CommandFailed({
      happened: `${count(refused, "row")} ${refused === 1 ? "was" : "were"} rejected.`,
      done: "",
      todo: `${job.report} lists them with the reasons.${encodingHint}${imported.emailHint} Fix them and run the command again; imported users won't change.`
    })
  })
).pipe(
  Command.withDescription(
    "Imports users with their passwords from NDJSON, CSV or another system's export. If it is stopped, run it again to resume."
  ),
  Command.withExamples([
    { command: "sallyport users import users.ndjson --realm rl_… --dry-run", description: "Check a file" },
    { command: "sallyport users import users.csv --map mail=email --map plan=custom.plan" },
    { command: "sallyport users import export.json.gz --preset auth0", description: "From another system" }
  ])
)
