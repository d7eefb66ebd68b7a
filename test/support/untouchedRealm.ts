import { expect } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { type Operation } from "./operations.ts"
import { bodyOf, resourceFor, snapshotOf } from "./resources.ts"
import { service } from "./sallyport.ts"

/** Operations that need a thing in a state of its own, where others of their resource do with any. */
const particular = /events (?:retry|cancel)$|notifications |rotateSecret$/

/**
 * A realm in which every call is refused. What the calls are about is made at its first use, for all operations: nothing
 * changes it.
 */
export class UntouchedRealm {
  readonly realm: GivenRealm
  readonly #things = new Map<string, Promise<string>>()
  readonly #bodies = new Map<string, ReturnType<typeof bodyOf>>()
  #rows: unknown
  /** The file that saw these rows: services of other files' tests on this database deliver what is due in any realm. */
  #file: string | undefined

  constructor(realm: GivenRealm) {
    this.realm = realm
  }

  /** The id of a thing that an operation may be called on; empty where its path names none. */
  thing(operation: Operation): Promise<string> {
    const { name, version, resource, params } = operation
    if (params.length === 0) return Promise.resolve("")
    return this.#made(this.#things, particular.test(name) ? name : `${version} ${resource}`, () =>
      resourceFor(operation, this.realm)
    )
  }

  /** A body that an operation accepts. */
  body(operation: Operation): ReturnType<typeof bodyOf> {
    return this.#made(this.#bodies, operation.name, () => bodyOf(operation, this.realm))
  }

  /** Demands that calls change no row of the realm. Their things and bodies are made before. */
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

/** One of them for the files of a worker, with a key of each level. */
export const untouchedRealm = (): Promise<UntouchedRealm> => (shared ??= prepare())
