import { Data } from "effect"

/** The service was started with a word that it does not know. */
export class UnknownCommand extends Data.TaggedError("UnknownCommand")<{ readonly command: string }> {
  override get message() {
    return `Unknown command: ${this.command}. Without one the service starts; "secrets" says under which encryption keys the database's secrets are.`
  }
}
