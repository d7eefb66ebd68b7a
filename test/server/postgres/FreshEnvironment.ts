import { Redacted } from "effect"
import { freshDatabase } from "../../support/databases.ts"

export const ROOT_KEY = "c81e728d9d4c2f636f067f89cc14862ceccbc87e4b5ce2fe28308fd9f2a7baf3"

/**
 * The environment for a process with a fresh PostgreSQL database, which takes a third of an embedded database's CPU
 * time.
 */
export const freshEnvironment = async () => {
  const target = await freshDatabase()
  return {
    DATABASE_URL: target._tag === "Postgres" ? Redacted.value(target.url) : "",
    HOST: "127.0.0.1",
    SALLYPORT_ROOT_KEY: ROOT_KEY,
    SALLYPORT_SECRET: "8f14e45fceea167a5a36dedd4bea2543c9f0f895fb98ab9159f51fd0297e236d"
  }
}
