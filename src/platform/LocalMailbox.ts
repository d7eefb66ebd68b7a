import { Context } from "effect"

/** The URL of the mailbox, if the service stores emails there instead of sending them (C38). */
export const LocalMailbox = Context.Reference<string | undefined>("sallyport/platform/LocalMailbox", {
  defaultValue: () => undefined
})
