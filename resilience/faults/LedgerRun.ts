import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { withClient } from "../../test/harness/Database.ts"
import { whole } from "../../test/harness/Figures.ts"

import { checkInvariants } from "../chaos/Invariants.ts"
import { acknowledged, Ledger } from "../chaos/Ledger.ts"
import { type Nodes, startNodes } from "../chaos/Nodes.ts"
import { waitForDeliveries } from "../chaos/OpenDeliveries.ts"
import { Progress } from "../chaos/Progress.ts"
import { startReceiver } from "../chaos/Receiver.ts"
import { makeWriterRealm } from "../chaos/WriterRealm.ts"
import { runWriters, type WriterStats } from "../chaos/Writers.ts"
import type { Outcome, Setting } from "./Scenario.ts"

const NODES = 2
const WRITERS = 8
const USERS = 12

/** The conditions during a fault: nodes of the service that receive writes, and the progress of the writes. */
export interface FaultContext {
  readonly nodes: Nodes
  readonly progress: Progress
  readonly realmId: string
  /** A key of the realm with read and write permissions. */
  readonly key: string
  /** The key of all realms. */
  readonly rootKey: string
  /** The users of the realm. */
  readonly users: ReadonlyArray<string>
}

/** The writers' results during the fault. */
export interface LedgerRun extends Outcome {
  readonly stats: WriterStats
}

/**
 * Makes writers change data through two nodes, and log the changes in a ledger, until `inject` is done. Then compares
 * the ledger, the database and the messages at the webhook's receiver. `url`: the database of the nodes, and the one to
 * compare unless `inject` returns another.
 */
export const runWithLedger = async (
  { seed, file, folder, logProgress }: Setting,
  url: string,
  inject: (load: FaultContext) => Promise<Outcome & { readonly url?: string }>,
  environment: Readonly<Record<string, string>> = {}
): Promise<LedgerRun> => {
  const rootKey = randomBytes(24).toString("hex")
  const ledgerFile = join(folder, "ledger.jsonl")
  const receiver = await startReceiver(seed)
  const nodes = await startNodes(
    NODES,
    file,
    {
      DATABASE_URL: url,
      SALLYPORT_ROOT_KEY: rootKey,
      SALLYPORT_SECRET: randomBytes(24).toString("hex"),
      SALLYPORT_PUBLIC_URL: "http://faults.test",
      SALLYPORT_ALLOW_PRIVATE_TARGETS: "true",
      SALLYPORT_LIMITS: "off",
      ...environment
    },
    folder
  )
  try {
    const { key, users, realmId, hookId } = await makeWriterRealm(nodes.ports[0] ?? 0, rootKey, receiver, {
      writers: WRITERS,
      users: USERS
    })
    const ledger = await Ledger.open(ledgerFile)
    const progress = new Progress()
    logProgress(`${NODES} nodes are ready; ${WRITERS} writers start`)
    const [stats, injected] = await Promise.all([
      runWriters({ seed, ports: nodes.ports, key, users }, ledger, progress, Number.POSITIVE_INFINITY),
      // The writers continue until enough events are recorded. Infinity makes them stop.
      inject({ nodes, progress, realmId, key, rootKey, users: users.flat() }).finally(() =>
        progress.add(Number.POSITIVE_INFINITY)
      )
    ])
    await ledger.close()
    const { changes, open } = acknowledged(ledgerFile)
    const invariants = await withClient(injected.url ?? url, async (client) => {
      const openDeliveries = await waitForDeliveries(client, logProgress)
      return [
        { rule: "all deliveries are completed", broken: openDeliveries === 0 ? [] : [`${openDeliveries} are pending`] },
        ...(await checkInvariants({ client, realmId, hookId, changes, messages: receiver.messages }))
      ]
    })
    const retried = [...stats.retried].map(([what, count]) => `${what}: ${whole(count)}`).join(", ")
    return {
      stats,
      figures: [
        ...injected.figures,
        ["changes acknowledged", whole(stats.acknowledged)],
        ["retries, by response", retried || "none"],
        ["slowest request of a writer", `${(stats.slowest / 1_000).toFixed(1)} s`]
      ],
      broken: [
        ...injected.broken,
        ...invariants.flatMap(({ rule, broken }) => broken.slice(0, 3).map((found) => `not kept: ${rule}: ${found}`)),
        ...(open === 0 ? [] : [`${open} changes got no response`]),
        ...stats.wrong.slice(0, 10).map((found) => `neither the expected response nor 503: ${found}`),
        ...(stats.missingRetryAfter === 0 ? [] : [`${stats.missingRetryAfter} responses of 503 had no Retry-After`]),
        ...nodes.unexpectedExits(),
        ...(stats.acknowledged === 0 ? ["no change was acknowledged"] : [])
      ]
    }
  } finally {
    await nodes.stop()
    receiver.stop()
  }
}
