import { Context, Effect, Layer, Scope } from "effect"
import { Given } from "#testing/Given"
import { type TestOptions, TestSallyport } from "#testing/TestSallyport"
import { freshDatabase } from "./databases.ts"

/** The service that all files of a worker share; tests keep apart by realm. */
export interface Service {
  readonly url: string
  readonly key: string
  readonly given: Given
}

const start = async (): Promise<Service> => {
  const layer = TestSallyport.layer({ database: await freshDatabase() })
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  const { url, key } = Context.get(context, TestSallyport)
  return { url, key, given: new Given(url, key) }
}

let started: Promise<Service> | undefined

/** Starts the worker's service at its first use. Its clock stands still: who turns it starts an `ownService`. */
export const service = (): Promise<Service> => (started ??= start())

/** A service for one test alone: its clock, limits and whole state are its own. Runs until `use` is done. */
export const ownService = async <A>(
  use: (own: Service & Pick<TestSallyport["Service"], "clock" | "sql">) => Promise<A>,
  options: Omit<TestOptions, "database"> = {}
): Promise<A> => {
  const layer = TestSallyport.layer({ ...options, database: await freshDatabase() })
  return Effect.runPromise(
    TestSallyport.pipe(
      Effect.flatMap(({ url, key, clock, sql }) =>
        Effect.promise(() => use({ url, key, clock, sql, given: new Given(url, key) }))
      ),
      Effect.provide(layer)
    )
  )
}
