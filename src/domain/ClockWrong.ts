import { Data } from "effect"

/** This node's clock differs too much from the database's (C224). A defect, reported as 503. Nothing was changed. */
export class ClockWrong extends Data.TaggedError("ClockWrong")<{ readonly aheadSeconds: number }> {
  /** The explanation for the log. */
  get reason(): string {
    return `this node's clock is ${Math.round(this.aheadSeconds)} seconds ahead of the database's`
  }
}
