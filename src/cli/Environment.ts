import { Context } from "effect"

/** What the commands read of the environment; the service reads the rest in its own configuration. */
export interface CommandEnvironment {
  /** Where the service is that commands call. */
  readonly url: string | undefined
  /** The API key that commands call with, or the file that it is in. */
  readonly key: string | undefined
  readonly keyFile: string | undefined
  /** Whether colours are not wanted. */
  readonly noColor: boolean
  /** All variables, for the commands that read the service's own configuration. */
  readonly all: Readonly<Record<string, string | undefined>>
}

const filled = (text: string | undefined) => (text?.trim() === "" ? undefined : text?.trim())

/** Reads what the commands need. */
export const commandEnvironment = (all: CommandEnvironment["all"] = process.env): CommandEnvironment => ({
  url: filled(all.SALLYPORT_URL),
  key: filled(all.SALLYPORT_KEY),
  keyFile: filled(all.SALLYPORT_KEY_FILE),
  noColor: filled(all.NO_COLOR) !== undefined || all.TERM === "dumb",
  all
})

/** The environment that a command runs in. */
export class Environment extends Context.Service<Environment, CommandEnvironment>()("sallyport/cli/Environment") {}
