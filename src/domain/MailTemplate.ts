import { Data } from "effect"

/** Why a template can't be rendered: it takes too long, is nested too deeply, or yields a mail that is too long. */
export type RenderFailure = "slow" | "nested" | "long"

/** The template can't be rendered. A retry would fail as well. */
export class MailUnrenderable extends Data.TaggedError("MailUnrenderable")<{ readonly why: RenderFailure }> {}

/** Too many mails of the realm are waiting to be rendered. */
export class RenderingBusy extends Data.TaggedError("RenderingBusy")<{ readonly retryAfterSeconds: number }> {}
