import { Data } from "effect"

/** The reason a template cannot be rendered: it takes too long, is nested too deeply, or produces too long an email. */
export type RenderFailure = "slow" | "nested" | "long"

/** The template cannot be rendered. A retry would fail too. */
export class MailUnrenderable extends Data.TaggedError("MailUnrenderable")<{ readonly why: RenderFailure }> {}

/** Too many of the realm's emails are waiting to be rendered. */
export class RenderingBusy extends Data.TaggedError("RenderingBusy")<{ readonly retryAfterSeconds: number }> {}
