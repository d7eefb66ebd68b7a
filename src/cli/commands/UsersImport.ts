import { readFile } from "node:fs/promises"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed, understood, WrongUsage } from "../CommandFailed.ts"
import { severalFlag, switchFlag } from "../Flags.ts"
import { AsJson, tell } from "../Output.ts"
import { remote } from "../Remote.ts"
import { Screen } from "../Screen.ts"
import { type Imported, importUsers } from "../users/Import.ts"
import type { ImportJob } from "../users/ImportJob.ts"
import { rowsOf } from "../users/ImportState.ts"
import { openFile, openStream } from "../users/InputFile.ts"
import { lossesJson, lossSentences } from "../users/Losses.ts"
import { mappedOf } from "../users/Mapping.ts"
import { firebaseHashOf } from "../users/presets/Firebase.ts"
import { presetNames, presets } from "../users/presets/Presets.ts"
import { inputFormats } from "../users/Records.ts"
import { refusedLines } from "../users/RefusedSentences.ts"
import { count, duration, numeral } from "../users/Sentences.ts"
import { StandardStreams } from "../users/StandardStreams.ts"
import { textEncodingNames } from "../users/TextEncodings.ts"

const file = Argument.String("file").pipe(
  Argument.optional,
  Argument.withDescription("The file with the users, also packed with gzip. Default, and -: the standard input")
)

const realm = Flag.String("realm").pipe(
  Flag.withMetavar("<id>"),
  Flag.optional,
  Flag.withDescription("The ID of the realm. Default: the realm of the key")
)

const preset = Flag.Literals("preset", presetNames).pipe(
  Flag.withMetavar("<system>"),
  Flag.optional,
  Flag.withDescription("The system that the file was exported from")
)

const format = Flag.Literals("format", inputFormats).pipe(
  Flag.withMetavar("<format>"),
  Flag.optional,
  Flag.withDescription("How the users stand in the file. Default: told by its name and its beginning")
)

const encoding = Flag.Literals("encoding", textEncodingNames).pipe(
  Flag.withMetavar("<encoding>"),
  Flag.withDefault("utf-8"),
  Flag.withDescription("The encoding of the text: latin1 for what Excel on Windows calls CSV. Default: utf-8")
)

const map = severalFlag(
  "map",
  "column=member",
  "What a column is: mail=email, plan=custom.plan, or notes= to leave it out. Can be repeated"
)

const dryRun = switchFlag("dry-run", "Check all rows and write nothing")

const events = switchFlag("events", "Record an event for each change, which webhooks receive")

const report = Flag.String("report").pipe(
  Flag.withMetavar("<file>"),
  Flag.optional,
  Flag.withDescription("Where refused rows are listed. Default: beside the input, with .refused.ndjson at the end")
)

const firebaseHash = Flag.String("firebase-hash").pipe(
  Flag.withMetavar("<file>"),
  Flag.optional,
  Flag.withDescription("The file with the hash_config of the Firebase console, for passwords to come along")
)

const withoutProfiles = switchFlag(
  "without-profiles",
  "Leave profiles at providers such as Google out, where the realm has no such provider"
)

const readHash = Effect.fnUntraced(function* (path: string) {
  const config = yield* Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (cause) => new WrongUsage({ happened: `${path} can't be read: ${String(cause)}` })
  })
  const hash = firebaseHashOf(config)
  if (hash !== undefined) return hash
  return yield* new WrongUsage({
    happened: `${path} does not hold the hash_config of a Firebase project.`,
    todo: "Copy it from the Firebase console: Authentication, Users, the three dots, Password hash parameters. It has base64_signer_key, base64_salt_separator, rounds and mem_cost."
  })
})

const resultText = ({ totals, before, seconds }: Imported, dryRun: boolean): string => {
  const { created, updated, unchanged, refused, orgs_created: orgs } = totals
  const rows = rowsOf(totals) - before
  const rate = seconds < 1 ? "" : `, ${numeral(Math.round(rows / seconds))} a second`
  const head = dryRun
    ? `Checked ${count(rows, "row")} in ${duration(seconds)}${rate}. Nothing was written. An import would do this:`
    : `Worked off ${count(rows, "row")} in ${duration(seconds)}${rate}${before === 0 ? "" : `, after ${count(before, "row")} of an earlier run`}:`
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
  const lost = lossSentences(conversion.losses, preset === undefined ? undefined : presets[preset])
  const secrets = withoutSecrets
    ? ["The export has no passwords: it was made with a key of a lower level than admin_all_realms."]
    : []
  const again =
    imported.unanswered === 0
      ? []
      : [
          `Up to ${numeral(imported.unanswered)} of the unchanged may be the work of this import itself: it had sent these rows before, and the answer did not arrive.`
        ]
  for (const sentence of [...again, ...lost, ...secrets]) yield* tell(sentence)
})

/** `sallyport users import` */
export const usersImport = Command.make(
  "import",
  { file, realm, preset, format, encoding, map, dryRun, events, report, firebaseHash, withoutProfiles },
  Effect.fnUntraced(function* (given) {
    const to = yield* remote
    const { input } = yield* StandardStreams
    const path = Option.getOrUndefined(Option.filter(given.file, (name) => name !== "-"))
    if (path === undefined && input.isTTY === true) {
      return yield* new WrongUsage({
        happened: "No users: name a file, or pipe them into the command.",
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
      maps: yield* understood(() => given.map.map(mappedOf)),
      query: { realm: Option.getOrUndefined(given.realm), dryRun: given.dryRun, events: given.events },
      report: Option.getOrElse(given.report, () => `${path === undefined ? "" : `${path}.`}refused.ndjson`)
    }
    const imported = yield* importUsers(job, to)
    yield* show(imported, job)
    const { refused } = imported.totals
    if (refused === 0) return
    for (const line of refusedLines(imported.refused, refused)) yield* tell(line)
    const encodingHint =
      imported.isGarbled && given.encoding === "utf-8"
        ? " Some are not in UTF-8: --encoding latin1 reads what Excel on Windows has saved."
        : ""
    return yield* new CommandFailed({
      happened: `${count(refused, "row")} ${refused === 1 ? "was" : "were"} refused.`,
      done: "",
      todo: `${job.report} says which and why.${encodingHint}${imported.emailHint} Mend them and run the command again: the other users stay unchanged.`
    })
  })
).pipe(
  Command.withDescription(
    "Brings users in with their passwords, from NDJSON, CSV or another system's export. Stopped half way, it goes on when it is run again."
  ),
  Command.withExamples([
    { command: "sallyport users import users.ndjson --realm rl_… --dry-run", description: "Check a file" },
    { command: "sallyport users import users.csv --map mail=email --map plan=custom.plan" },
    { command: "sallyport users import export.json.gz --preset auth0", description: "From another system" }
  ])
)
