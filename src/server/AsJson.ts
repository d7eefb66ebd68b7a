import { Context } from "effect"

/** Whether the service was started with `--json`: its output and its log are then JSON, even on a terminal. */
export const AsJson = Context.Reference<boolean>("sallyport/server/AsJson", { defaultValue: () => false })

/** Whether the log is JSON. By default it is text on a terminal, and JSON for programs elsewhere. */
export const logsAsJson = (asJson: boolean): boolean => asJson || !process.stderr.isTTY
