import { CommandFailed } from "../CommandFailed.ts"
import type { RejectedRow } from "./Batches.ts"
import { numeral } from "./Messages.ts"
import { emailHint } from "./RejectionMessages.ts"

/** The import stops if this many rows at its start are all rejected for the same reason. */
const MIN_REJECTED_ROWS = 100

/** Detects whether all rows so far were rejected for the same reason. */
export class RepeatedRejections {
  #common: ReadonlyArray<string> | undefined

  /** Adds rejected rows. `isAccepted`: whether any row was accepted. Returns the reason to stop the import, if any. */
  take(rows: ReadonlyArray<RejectedRow>, refused: number, isAccepted: boolean): CommandFailed | undefined {
    for (const { errors } of rows) this.#common = this.#common?.filter((one) => errors.includes(one)) ?? errors
    const [reason] = this.#common ?? []
    if (isAccepted || refused < MIN_REJECTED_ROWS || reason === undefined) return undefined
    return new CommandFailed({
      happened: `The import was stopped because the first ${numeral(refused)} rows were all rejected for the same reason: ${reason}`,
      todo: `Fix the rows, or, if they come from another system, run the command again with its --preset.${emailHint([{ errors: [reason] }])}`
    })
  }
}
