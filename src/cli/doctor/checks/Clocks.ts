import { Effect } from "effect"
import type { Inspection } from "#server/inspection/DatabaseInspection"
import { type Finding, ok, problem, warning } from "../Finding.ts"
import type { Check } from "../Subject.ts"

/** The smallest clock difference to report, in milliseconds. A one-time code is valid for half a minute. */
const MIN_REPORTED_MILLIS = 2_000
const BAD = 30_000

const MINUTE = 60_000

const inWords = (milliseconds: number): string => {
  const size = Math.abs(milliseconds)
  if (size < MINUTE) return `${Math.round(size / 1000)} seconds`
  return size < 120 * MINUTE ? `${Math.round(size / MINUTE)} minutes` : `${Math.round(size / (60 * MINUTE))} hours`
}

/** Compares this machine's clock with another one. `ahead`: how many milliseconds the other clock is ahead. */
export const clockFinding = (other: string, ahead: number): Finding => {
  if (Math.abs(ahead) < MIN_REPORTED_MILLIS) return ok(`This machine's clock agrees with the clock of ${other}.`)
  const says = `This machine's clock is ${inWords(ahead)} ${ahead > 0 ? "behind" : "ahead of"} the clock of ${other}.`
  const todo =
    "Synchronize both (chrony or systemd-timesyncd). Tokens, one-time codes and signed webhooks are only valid for seconds or minutes."
  return Math.abs(ahead) < BAD ? warning(says, todo) : problem(says, todo)
}

const databaseClockFinding = ({ clock }: Inspection) => clockFinding("the database", clock.ahead)

/** Checks this machine's clock against the database's. */
export const databaseClock: Check = {
  name: "clock",
  place: "settings",
  run: ({ settings, postgres }) =>
    settings.database._tag === "Postgres"
      ? Effect.match(postgres, { onSuccess: (found) => [databaseClockFinding(found)], onFailure: () => [] })
      : Effect.succeed([])
}

/** Checks this machine's clock against the service's. */
export const serviceClock: Check = {
  name: "clock",
  place: "service",
  run: ({ service }) =>
    Effect.map(service.answer, (answer) => {
      const isKnown = answer._tag === "Answered" && answer.readiness !== undefined && answer.ahead !== undefined
      return isKnown ? [clockFinding(`the service at ${service.url}`, answer.ahead)] : []
    })
}
