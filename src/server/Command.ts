import { Data } from "effect"

/** The service was started with an unknown command. */
export class UnknownCommand extends Data.TaggedError("UnknownCommand")<{ readonly command: string }> {
  override get message() {
    return `Unknown command: ${this.command}. Run without a command to start the service, or with "secrets" to see which keys encrypt the database's secrets.`
  }
}
