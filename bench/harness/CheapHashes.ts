import { start } from "#testing/promise"

// The service with hashes that cost next to nothing, to measure what else a login costs.
const { DATABASE_URL = "", SALLYPORT_SECRET = "", PORT } = process.env
await start({
  database: { _tag: "Postgres", url: DATABASE_URL },
  secrets: [SALLYPORT_SECRET],
  port: Number(PORT)
})
