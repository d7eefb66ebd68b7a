import { Effect } from "effect"
import { RELEASE } from "#server/Command"
import { counted, type Finding, ok, problem, skipped, warning } from "../Finding.ts"
import { type Answered, type Readiness, type Unanswered, whyUnanswered } from "../ServiceAnswer.ts"
import type { Check, Subject } from "../Subject.ts"

/** How late a background job may be, in seconds. */
const LATE = 300

const notReady = ({
  database,
  clock,
  clock_skew_seconds = 0,
  draining,
  missing_keys
}: Readiness): readonly [says: string, todo: string] => {
  if (missing_keys !== undefined)
    return [
      `it lacks the encryption key ${missing_keys.join(", ")}, with which values in the database are encrypted`,
      "Add that key to its SALLYPORT_SECRET, after the others, and restart it."
    ]
  if (clock === "wrong")
    return [
      `its clock is ${Math.abs(clock_skew_seconds)} seconds ${clock_skew_seconds > 0 ? "ahead of" : "behind"} the database's`,
      "Synchronize both clocks (chrony or systemd-timesyncd). It goes on by itself then."
    ]
  if (draining === true) return ["it is stopping", "Ask again once it has been replaced."]
  if (database === "unreachable")
    return ["its database doesn't answer", "Look at the database, from the service's machine."]
  return ["it doesn't say why", "Ask with a key of level admin_all_realms (SALLYPORT_KEY), or look at its log."]
}

const jobFindings = ({ actors = {} }: Readiness): ReadonlyArray<Finding> => {
  const all = Object.entries(actors)
  const failing = all.flatMap(([name, { ok: isWell }]) => (isWell ? [] : [name]))
  const late = all.flatMap(([name, { lag_seconds }]) => (lag_seconds > LATE ? [name] : []))
  return [
    ...(failing.length === 0
      ? []
      : [problem(`Background jobs fail: ${failing.join(", ")}.`, "The service's log says why: look for their names.")]),
    ...(late.length === 0
      ? []
      : [
          warning(
            `Background jobs are more than ${LATE / 60} minutes late: ${late.join(", ")}.`,
            "Look at the load of the service and of its database."
          )
        ])
  ]
}

const namesIt = "Start yours, name it with --url, or run this with the settings of that service."

/** Reports that the running service has other keys than these settings; undefined if it matches or is unknown. */
const strangerFinding = (
  { url, isNamed, ownKeys }: Pick<Subject["service"], "url" | "isNamed" | "ownKeys">,
  { encryption_keys: keys }: Readiness
): Finding | undefined => {
  // A service on another machine needn't have its settings here.
  if (ownKeys === undefined || (isNamed && ownKeys.length === 0)) return undefined
  if (ownKeys.length === 0) {
    return warning(`The service at ${url} is another one: these settings have no database yet.`, namesIt)
  }
  if (keys === undefined || keys.some((id) => ownKeys.includes(id))) return undefined
  return warning(
    `The service at ${url} is not the one of these settings: it encrypts with the key ${keys.join(", ")}, they with ${ownKeys.join(", ")}.`,
    namesIt
  )
}

export const serviceFindings = (
  { url, isNamed, hasKey, ownKeys }: Pick<Subject["service"], "url" | "isNamed" | "hasKey" | "ownKeys">,
  answer: Answered | Unanswered
): Finding | ReadonlyArray<Finding> => {
  if (answer._tag === "Unanswered") {
    if (!isNamed) return skipped(`No service runs at ${url}. --url names one.`)
    return problem(
      `The service at ${url} can't be reached: ${whyUnanswered(answer)}.`,
      "Start it, or correct --url or SALLYPORT_URL."
    )
  }
  const { readiness, status } = answer
  if (readiness === undefined) {
    return isNamed
      ? problem(`What answers at ${url} is not Sallyport (HTTP ${status}).`, "Correct --url or SALLYPORT_URL.")
      : skipped(`What answers at ${url} is not Sallyport. --url names a service.`)
  }
  const stranger = strangerFinding({ url, isNamed, ownKeys }, readiness)
  if (stranger !== undefined) return stranger
  if (readiness.status !== "ready") {
    const [says, todo] = notReady(readiness)
    return problem(`The service at ${url} is not ready: ${says}.`, todo)
  }
  const { version, actors } = readiness
  if (version === undefined) {
    const why = hasKey ? "the key is not one of level admin_all_realms" : "there is no key (SALLYPORT_KEY)"
    if (!isNamed) {
      return skipped(
        `A service at ${url} is ready. It doesn't tell strangers whether it is the one of these settings: ${why}.`
      )
    }
    return ok(`The service at ${url} is ready. It says no more to strangers: ${why}.`)
  }
  const jobs = jobFindings(readiness)
  const other =
    version === RELEASE
      ? []
      : [
          warning(
            `The service at ${url} is Sallyport ${version}, this command ${RELEASE}.`,
            `Use the command of the same release: npx sallyport@${version}.`
          )
        ]
  if (jobs.length + other.length > 0) return [...other, ...jobs]
  return ok(
    `The service at ${url} is ready: Sallyport ${version}, ${counted(Object.keys(actors ?? {}).length, "background job")} well.`
  )
}

/** Checks whether the running service is healthy. */
export const runningService: Check = {
  name: "service",
  place: "service",
  run: ({ service }) => Effect.map(service.answer, (answer) => serviceFindings(service, answer))
}
