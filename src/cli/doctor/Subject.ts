import type { Effect } from "effect"
import type { Settings } from "#server/Config"
import type { Environment } from "#server/EnvironmentReader"
import type { DatabaseRefused, Inspection } from "#server/inspection/DatabaseInspection"
import type { Finding } from "./Finding.ts"
import type { NoResponse, ServiceResponse } from "./ServiceResponse.ts"
import type { Stored } from "./Stored.ts"

/** The subject of the checks. Each part is read at most once. */
export interface Subject {
  readonly environment: Environment
  /** The settings, with defaults for invalid ones. */
  readonly settings: Settings
  /** The errors in the settings. */
  readonly problems: ReadonlyArray<string>
  /** The PostgreSQL database. */
  readonly postgres: Effect.Effect<Inspection, DatabaseRefused>
  /** The contents of either kind of database, or a finding if they can't be read. */
  readonly stored: Effect.Effect<Stored | Finding>
  /** The running service: its URL, whether the URL was given explicitly, and its response. */
  readonly service: {
    readonly url: string
    readonly isNamed: boolean
    readonly hasKey: boolean
    /** The IDs of the encryption keys in these settings. Empty if there is no database yet, and undefined if unknown. */
    readonly ownKeys: ReadonlyArray<string> | undefined
    readonly answer: Effect.Effect<ServiceResponse | NoResponse>
    /** The response at the public URL. */
    readonly publicAnswer: Effect.Effect<ServiceResponse | NoResponse>
  }
  /** The recipient of a test email. */
  readonly mailTo: string | undefined
  /** The URL for a test webhook. */
  readonly webhookUrl: string | undefined
}

/** The place of a finding: the settings and what they refer to, or the running service. */
export type Place = "settings" | "service"

/** A check. It changes nothing and ends within its time limit. */
export interface Check {
  readonly name: string
  readonly place: Place
  readonly run: (subject: Subject) => Effect.Effect<Finding | ReadonlyArray<Finding>>
}

/** Whether a setting is invalid. Checks that depend on it are skipped. */
export const isInvalid = ({ problems }: Subject, setting: string): boolean =>
  problems.some((sentence) => sentence.includes(setting))

/** Whether this is a production service: on PostgreSQL, and not in test mode. */
export const isProduction = ({ settings }: Pick<Subject, "settings">): boolean =>
  settings.database._tag === "Postgres" && !settings.testMode

/** Whether a host name refers to this machine. */
export const isThisMachine = (hostname: string): boolean =>
  /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i.test(hostname)
