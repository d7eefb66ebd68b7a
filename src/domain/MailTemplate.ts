import { Data } from "effect"

/** Why a template cannot be rendered: it takes too long, is nested too deeply, or yields an email that is too long. */
export type RenderFailure = "slow" | "nested" | "long"

/** The template cannot be rendered. A retry would fail as well. */
export class MailUnrenderable extends Data.TaggedError("MailUnrenderable")<{ readonly why: RenderFailure }> {}

/** Too many emails of the realm are waiting to be rendered. */
export class RenderingBusy extends Data.TaggedError("RenderingBusy")<{ readonly retryAfterSeconds: number }> {}
