import { Effect } from "effect"
import { type SamlCheck, SamlRefused } from "#domain/SamlRefused"

/** The values that explain why a check failed. */
export interface Details {
  readonly expected?: string | undefined
  readonly found?: string | undefined
}

const MAX_FOUND = 200

/** The checks that a response has passed, in order. */
export class CheckList {
  readonly #passed = new Set<SamlCheck>()

  get passed(): ReadonlyArray<SamlCheck> {
    return [...this.#passed]
  }

  pass(...checks: ReadonlyArray<SamlCheck>): void {
    for (const check of checks) this.#passed.add(check)
  }

  /** Refuses the response because of a check. */
  refuse(check: SamlCheck, { expected, found }: Details = {}): Effect.Effect<never, SamlRefused> {
    return Effect.fail(
      new SamlRefused({
        check,
        passed: this.passed.filter((passed) => passed !== check),
        ...(expected === undefined ? {} : { expected }),
        ...(found === undefined ? {} : { found: found.slice(0, MAX_FOUND) })
      })
    )
  }

  /** Makes a check: passes it, or refuses the response. */
  require(check: SamlCheck, holds: boolean, details?: Details): Effect.Effect<void, SamlRefused> {
    return holds ? Effect.sync(() => this.pass(check)) : this.refuse(check, details)
  }

  /** Returns a value that the check needs, or refuses the response if there is none. */
  value<A>(check: SamlCheck, value: A | undefined, details?: Details): Effect.Effect<A, SamlRefused> {
    return value === undefined ? this.refuse(check, details) : Effect.succeed(value)
  }
}
