import { Context } from "effect"

/** Whether the service was started with `--json`: what it prints and logs is JSON, on a terminal, too. */
export const AsJson = Context.Reference<boolean>("sallyport/server/AsJson", { defaultValue: () => false })

/** Whether the log is JSON: for programs, which read whatever is no terminal. */
export const logsAsJson = (asJson: boolean): boolean => asJson || !process.stderr.isTTY
