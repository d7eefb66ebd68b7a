import { Redacted } from "effect"
import { freshDatabase } from "../../support/databases.ts"

export const ROOT_KEY = "a-root-key-of-more-than-thirty-two-characters"

/** What a process needs for a database of its own, which takes a third of the processor time of an embedded one. */
export const freshEnvironment = async () => {
  const target = await freshDatabase()
  return {
    DATABASE_URL: target._tag === "Postgres" ? Redacted.value(target.url) : "",
    HOST: "127.0.0.1",
    SALLYPORT_ROOT_KEY: ROOT_KEY,
    SALLYPORT_SECRET: "a-secret-of-more-than-thirty-two-characters"
  }
}
