import { inject } from "vitest"

/** Every other one of these, the others on the other database: for generated tests of what the databases have no part in. */
export const alternateByDatabase = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => {
  const turn = inject("database").kind === "postgres" ? 0 : 1
  return all.filter((_, index) => index % 2 === turn)
}

/** All of these on PostgreSQL, which is stricter about what it is sent; every other one on the embedded database. */
export const allOnPostgres = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  inject("database").kind === "postgres" ? all : alternateByDatabase(all)
