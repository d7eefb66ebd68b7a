import { CommandFailed } from "../CommandFailed.ts"
import type { RefusedRow } from "./Batches.ts"
import { emailHint } from "./RefusedSentences.ts"
import { numeral } from "./Sentences.ts"

/** How many rows tell: if each of so many first rows is refused for one reason, so are the others. */
const ENOUGH = 100

/** Watches whether all rows so far were refused for the same reason. */
export class EqualRefusals {
  #common: ReadonlyArray<string> | undefined

  /** Takes note of refused rows. `isAccepted`: whether any row of the input was not refused. Returns why the import is to stop. */
  take(rows: ReadonlyArray<RefusedRow>, refused: number, isAccepted: boolean): CommandFailed | undefined {
    for (const { errors } of rows) this.#common = this.#common?.filter((one) => errors.includes(one)) ?? errors
    const [reason] = this.#common ?? []
    if (isAccepted || refused < ENOUGH || reason === undefined) return undefined
    return new CommandFailed({
      happened: `All of the first ${numeral(refused)} rows were refused, so the import has stopped. What they have in common: ${reason}`,
      todo: `Mend the rows, or, if another system has exported them, run the command again with --preset and its name.${emailHint([{ errors: [reason] }])}`
    })
  }
}
