import { expect } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { type Operation } from "./operations.ts"
import { bodyOf, resourceFor, snapshotOf } from "./resources.ts"
import { service } from "./sallyport.ts"

/** Operations that need a resource in a specific state. */
const particular = /events (?:retry|cancel)$|notifications |rotateSecret$/

/**
 * A realm in which every call fails. The resources for the calls are created on first use and shared by all operations,
 * since nothing changes them.
 */
export class UntouchedRealm {
  readonly realm: GivenRealm
  readonly #things = new Map<string, Promise<string>>()
  readonly #bodies = new Map<string, ReturnType<typeof bodyOf>>()
  #rows: unknown
  /**
   * The test file that saw these rows. On the same database, services of other test files may deliver what is due in
   * any realm.
   */
  #file: string | undefined

  constructor(realm: GivenRealm) {
    this.realm = realm
  }

  /** The ID of a resource for an operation, or an empty string if the operation's path has no parameters. */
  thing(operation: Operation): Promise<string> {
    const { name, version, resource, params } = operation
    if (params.length === 0) return Promise.resolve("")
    return this.#made(this.#things, particular.test(name) ? name : `${version} ${resource}`, () =>
      resourceFor(operation, this.realm)
    )
  }

  /** A valid body for an operation. */
  body(operation: Operation): ReturnType<typeof bodyOf> {
    return this.#made(this.#bodies, operation.name, () => bodyOf(operation, this.realm))
  }

  /** Asserts that calls change no row of the realm. Resources and bodies are prepared before the calls. */
  async expectUnchanged(calls: () => Promise<void>): Promise<void> {
    const { testPath } = expect.getState()
    const before = (testPath === this.#file ? this.#rows : undefined) ?? (await snapshotOf(this.realm))
    this.#rows = undefined
    await calls()
    const after = await snapshotOf(this.realm)
    expect(after).toEqual(before)
    this.#rows = after
    this.#file = testPath
  }

  #made<A>(known: Map<string, Promise<A>>, kind: string, make: () => Promise<A>): Promise<A> {
    const found = known.get(kind)
    if (found !== undefined) return found
    this.#rows = undefined
    const made = make()
    known.set(kind, made)
    return made
  }
}

let shared: Promise<UntouchedRealm> | undefined

const prepare = async (): Promise<UntouchedRealm> => {
  const realm = await (await service()).given.realm()
  for (const level of ["read", "write", "admin_realm"] as const) await realm.as(level)
  return new UntouchedRealm(realm)
}

/** The realm shared by a worker's files, with a key of each level. */
export const untouchedRealm = (): Promise<UntouchedRealm> => (shared ??= prepare())
