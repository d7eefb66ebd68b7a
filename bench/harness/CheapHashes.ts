import { start } from "#testing/promise"

// Runs the service with very cheap password hashes, to measure the other costs of a login.
const { DATABASE_URL = "", SALLYPORT_SECRET = "", PORT } = process.env
await start({
  database: { _tag: "Postgres", url: DATABASE_URL },
  secrets: [SALLYPORT_SECRET],
  port: Number(PORT)
})
