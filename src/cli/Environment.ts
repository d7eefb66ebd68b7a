import { Context } from "effect"

/** The environment variables that commands use. The service's own settings are read elsewhere. */
export interface CommandEnvironment {
  /** The URL of the service to call. */
  readonly url: string | undefined
  /** The API key to call it with, or a file that contains it. */
  readonly key: string | undefined
  readonly keyFile: string | undefined
  /** The ID of the realm to call. */
  readonly realm: string | undefined
  /** Whether to print without colors. */
  readonly noColor: boolean
  /** All variables, for commands that read the service's own configuration. */
  readonly all: Readonly<Record<string, string | undefined>>
}

const filled = (text: string | undefined) => (text?.trim() === "" ? undefined : text?.trim())

/** Reads the commands' environment variables. */
export const commandEnvironment = (all: CommandEnvironment["all"] = process.env): CommandEnvironment => ({
  url: filled(all.SALLYPORT_URL),
  key: filled(all.SALLYPORT_KEY),
  keyFile: filled(all.SALLYPORT_KEY_FILE),
  realm: filled(all.SALLYPORT_REALM),
  noColor: filled(all.NO_COLOR) !== undefined || all.TERM === "dumb",
  all
})

/** The environment of the running command. */
export class Environment extends Context.Service<Environment, CommandEnvironment>()("sallyport/cli/Environment") {}
