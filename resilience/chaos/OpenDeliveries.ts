import type { Client } from "pg"

/** The time limit for the last deliveries, in milliseconds. It allows for a lease and several attempts. */
const PATIENCE = 900_000

/** Waits until no delivery is in progress. Returns the number of open deliveries after the timeout. */
export const waitForDeliveries = async (client: Client, logProgress: (text: string) => void): Promise<number> => {
  let reportedAt = 0
  for (const from = performance.now(); ; ) {
    const { rows } = await client.query<{ open: number; attempts: number; due: Date }>(
      `select count(*)::int as open, max(attempts) as attempts, min(due_at) as due from deliveries
        where state = 'in_progress'`
    )
    const { open = 0, attempts = 0, due = new Date() } = rows[0] ?? {}
    if (open === 0 || performance.now() - from > PATIENCE) return open
    if (performance.now() - reportedAt > 10_000) {
      const next = ((due.getTime() - Date.now()) / 1_000).toFixed(0)
      logProgress(`${open} deliveries are pending, after at most ${attempts} attempts; the next is due in ${next} s`)
      reportedAt = performance.now()
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
