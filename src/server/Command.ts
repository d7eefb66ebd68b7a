import { Data } from "effect"

/** The command that starts a worker. Only the service's own primary process uses it (C62). */
export const WORKER = "worker"

/** The service was started with an unknown command. */
export class UnknownCommand extends Data.TaggedError("UnknownCommand")<{ readonly command: string }> {
  override get message() {
    return `Unknown command: ${this.command}. Run without a command to start the service, or with "secrets" to see which keys encrypt the database's secrets.`
  }
}
