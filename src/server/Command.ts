import { Data } from "effect"

export { RELEASE } from "#http/docs/Release"

/** The command that starts a worker. Only the service's own primary process runs it (C62). */
export const WORKER = "worker"

/** The service was started with a command that doesn't exist. */
export class UnknownCommand extends Data.TaggedError("UnknownCommand")<{ readonly command: string }> {
  override get message() {
    return `Unknown command: ${this.command}. Run without a command to start the service, or with --help to list the commands.`
  }
}
