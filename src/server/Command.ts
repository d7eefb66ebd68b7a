import { Data } from "effect"

/** The command that starts a worker. Only the service's own primary process uses it (C62). */
export const WORKER = "worker"

/** What the commands and options do. */
export const HELP = `Usage: sallyport [command]

Without a command, the service starts. Its settings are environment variables, such as PORT and DATABASE_URL:
.env.example lists all of them.

Commands:
  secrets    Shows which keys encrypt the secrets in the database, and whether an old key can go

Options:
  --version  Shows the release
  --help     Shows this help`

/** The service was started with an unknown command. */
export class UnknownCommand extends Data.TaggedError("UnknownCommand")<{ readonly command: string }> {
  override get message() {
    return `Unknown command: ${this.command}. Run without a command to start the service, or with --help to see what there is.`
  }
}
