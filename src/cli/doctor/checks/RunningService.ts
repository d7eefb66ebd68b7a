import { Effect } from "effect"
import { RELEASE } from "#server/Command"
import { counted, type Finding, ok, problem, skipped, warning } from "../Finding.ts"
import { type NoResponse, noResponseReason, type Readiness, type ServiceResponse } from "../ServiceResponse.ts"
import type { Check, Subject } from "../Subject.ts"

/** The delay at which a background job is reported, in seconds. */
const LATE_SECONDS = 300

const notReady = ({
  database,
  clock,
  clock_skew_seconds = 0,
  draining,
  missing_keys
}: Readiness): readonly [says: string, todo: string] => {
  if (missing_keys !== undefined)
    return [
      `it lacks the encryption key ${missing_keys.join(", ")}, which encrypts values in the database`,
      "Add that key to its SALLYPORT_SECRET, after the others, and restart it."
    ]
  if (clock === "wrong")
    return [
      `its clock is ${Math.abs(clock_skew_seconds)} seconds ${clock_skew_seconds > 0 ? "ahead of" : "behind"} the database's`,
      "Synchronize both clocks (chrony or systemd-timesyncd). The service then recovers automatically."
    ]
  if (draining === true) return ["it is stopping", "Check again once it has been replaced."]
  if (database === "unreachable")
    return ["its database doesn't respond", "Check the database from the service's machine."]
  return ["it doesn't say why", "Use a key of level admin_all_realms (SALLYPORT_KEY), or check its log."]
}

const jobFindings = ({ actors = {} }: Readiness): ReadonlyArray<Finding> => {
  const all = Object.entries(actors)
  const failing = all.flatMap(([name, { ok: isWell }]) => (isWell ? [] : [name]))
  const late = all.flatMap(([name, { lag_seconds }]) => (lag_seconds > LATE_SECONDS ? [name] : []))
  return [
    ...(failing.length === 0
      ? []
      : [problem(`Background jobs fail: ${failing.join(", ")}.`, "Search the service's log for their names.")]),
    ...(late.length === 0
      ? []
      : [
          warning(
            `Background jobs are more than ${LATE_SECONDS / 60} minutes late: ${late.join(", ")}.`,
            "Check the load of the service and its database."
          )
        ])
  ]
}

const nameServiceAdvice =
  "Start your service, set its URL with --url, or run this command with the other service's settings."

/**
 * Returns a finding if the running service has other encryption keys than these settings, or undefined if they match or
 * are unknown.
 */
const strangerFinding = (
  { url, isNamed, ownKeys }: Pick<Subject["service"], "url" | "isNamed" | "ownKeys">,
  { encryption_keys: keys }: Readiness
): Finding | undefined => {
  // A service on another machine needn't have its settings here.
  if (ownKeys === undefined || (isNamed && ownKeys.length === 0)) return undefined
  if (ownKeys.length === 0) {
    return warning(
      `The service at ${url} is a different service, because these settings have no database yet.`,
      nameServiceAdvice
    )
  }
  if (keys === undefined || keys.some((id) => ownKeys.includes(id))) return undefined
  return warning(
    `The service at ${url} doesn't use these settings: it encrypts with the key ${keys.join(", ")}, but these settings with ${ownKeys.join(", ")}.`,
    nameServiceAdvice
  )
}

export const serviceFindings = (
  { url, isNamed, hasKey, ownKeys }: Pick<Subject["service"], "url" | "isNamed" | "hasKey" | "ownKeys">,
  answer: ServiceResponse | NoResponse
): Finding | ReadonlyArray<Finding> => {
  if (answer._tag === "Unanswered") {
    if (!isNamed) return skipped(`No service is running at ${url}. Use --url to check another.`)
    return problem(
      `The service at ${url} can't be reached: ${noResponseReason(answer)}.`,
      "Start it, or correct --url or SALLYPORT_URL."
    )
  }
  const { readiness, status } = answer
  if (readiness === undefined) {
    return isNamed
      ? problem(`The server at ${url} is not Sallyport (HTTP ${status}).`, "Correct --url or SALLYPORT_URL.")
      : skipped(`The server at ${url} is not Sallyport. Use --url to check a service.`)
  }
  const stranger = strangerFinding({ url, isNamed, ownKeys }, readiness)
  if (stranger !== undefined) return stranger
  if (readiness.status !== "ready") {
    const [says, todo] = notReady(readiness)
    return problem(`The service at ${url} is not ready: ${says}.`, todo)
  }
  const { version, actors } = readiness
  if (version === undefined) {
    const why = hasKey ? "the key's level is not admin_all_realms" : "no key is set (SALLYPORT_KEY)"
    if (!isNamed) {
      return skipped(`A service at ${url} is ready. It doesn't show whether it uses these settings, because ${why}.`)
    }
    return ok(`The service at ${url} is ready. It doesn't show details, because ${why}.`)
  }
  const jobs = jobFindings(readiness)
  const other =
    version === RELEASE
      ? []
      : [
          warning(
            `The service at ${url} runs Sallyport ${version}, but this command is from ${RELEASE}.`,
            `Use the command of the same release: npm install sallyport@${version} sallyport-service@${version}.`
          )
        ]
  if (jobs.length + other.length > 0) return [...other, ...jobs]
  return ok(
    `The service at ${url} is ready: Sallyport ${version}, ${counted(Object.keys(actors ?? {}).length, "background job")} healthy.`
  )
}

/** Checks whether the running service is healthy. */
export const runningService: Check = {
  name: "service",
  place: "service",
  run: ({ service }) => Effect.map(service.answer, (answer) => serviceFindings(service, answer))
}
