import { Effect, Stream } from "effect"
import type { ImportRun } from "#core/imports/Imports"
import { ApiKeyId } from "#domain/Ids"
import type { ImportConflict, ImportRow } from "#domain/ImportRow"
import { importResponse } from "#http/imports/ImportResponse"
import { OneRealm } from "./hashing.ts"

/** The errors of the first batches. */
interface Failing {
  readonly failures: number
  readonly defect?: unknown
  readonly failure?: ImportConflict
}

/** An import whose users are not stored in any database. */
export class Batches {
  rows = 0
  #failures: number
  readonly #failing: Failing
  readonly #totals = { created: 0, updated: 0, unchanged: 0, refused: 0, orgsCreated: 0 }

  constructor(failing: Failing = { failures: 0 }) {
    this.#failing = failing
    this.#failures = failing.failures
  }

  readonly #write: ImportRun["write"] = (rows: ReadonlyArray<ImportRow>) =>
    Effect.suspend(() => {
      if (this.#failures > 0) {
        this.#failures -= 1
        const { failure, defect } = this.#failing
        return failure === undefined ? Effect.die(defect) : Effect.fail(failure)
      }
      this.rows += rows.length
      this.#totals.created += rows.length
      return Effect.succeed([])
    })

  readonly #refuse = () => {
    this.#totals.refused += 1
  }

  /** The lines of the response to a body. */
  answer(body: Stream.Stream<string, unknown>, stopping: Effect.Effect<void> = Effect.never) {
    const run: ImportRun = {
      write: this.#write,
      countUnreadable: this.#refuse,
      totals: this.#totals,
      end: () => Effect.void
    }
    return importResponse(Stream.encodeText(body), {
      run,
      dryRun: false,
      by: { type: "api_key", id: ApiKeyId.make("key_a") },
      stopping,
      reauthenticate: Effect.void
    }).pipe(Stream.runCollect, Effect.provide(OneRealm))
  }
}
