import { Data } from "effect"

/** Why no mail can be made of a template: it takes too long, it is nested too deeply, or the mail would be too long. */
export type WhyUnrenderable = "slow" | "nested" | "long"

/** No mail can be made of the template, however often it is tried. */
export class MailUnrenderable extends Data.TaggedError("MailUnrenderable")<{ readonly why: WhyUnrenderable }> {}

/** So many mails of the realm wait to be made that this one had no turn: try again after this many seconds. */
export class RenderingBusy extends Data.TaggedError("RenderingBusy")<{ readonly retryAfterSeconds: number }> {}
