import type { Effect } from "effect"
import type { Settings } from "#server/Config"
import type { Environment } from "#server/EnvironmentReader"
import type { DatabaseRefused, Inspection } from "#server/inspection/DatabaseInspection"
import type { Finding } from "./Finding.ts"
import type { Answered, Unanswered } from "./ServiceAnswer.ts"
import type { Stored } from "./Stored.ts"

/** What checks look at. Nothing of it is read twice. */
export interface Subject {
  readonly environment: Environment
  /** The settings; where one is not valid, its default. */
  readonly settings: Settings
  /** What is wrong with the settings. */
  readonly problems: ReadonlyArray<string>
  /** A database that is PostgreSQL. */
  readonly postgres: Effect.Effect<Inspection, DatabaseRefused>
  /** What is in the database, whichever it is; or why that can't be said. */
  readonly stored: Effect.Effect<Stored | Finding>
  /** The running service: where it is, whether somebody named that place, and what it answers. */
  readonly service: {
    readonly url: string
    readonly isNamed: boolean
    readonly hasKey: boolean
    /** The IDs of the encryption keys of these settings; none if they have no database yet; undefined: they can't tell. */
    readonly ownKeys: ReadonlyArray<string> | undefined
    readonly answer: Effect.Effect<Answered | Unanswered>
    /** The answer at the public URL. */
    readonly publicAnswer: Effect.Effect<Answered | Unanswered>
  }
  /** Where to send a test mail. */
  readonly mailTo: string | undefined
  /** Where to post a test message. */
  readonly webhookUrl: string | undefined
}

/** What something is found in: the settings of this environment, with all they lead to; or the running service. */
export type Place = "settings" | "service"

/** One thing to look at. It changes nothing, and ends within its time. */
export interface Check {
  readonly name: string
  readonly place: Place
  readonly run: (subject: Subject) => Effect.Effect<Finding | ReadonlyArray<Finding>>
}

/** Whether a setting is not valid, so that nothing can be said of what it leads to. */
export const isInvalid = ({ problems }: Subject, setting: string): boolean =>
  problems.some((sentence) => sentence.includes(setting))

/** Whether the service is run for real: on PostgreSQL, and not in test mode. */
export const isProduction = ({ settings }: Pick<Subject, "settings">): boolean =>
  settings.database._tag === "Postgres" && !settings.testMode

/** Whether a host is this machine by its name. */
export const isThisMachine = (hostname: string): boolean =>
  /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i.test(hostname)
