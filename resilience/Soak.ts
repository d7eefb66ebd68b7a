import { randomBytes, randomInt } from "node:crypto"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import { buildService } from "../test/harness/Build.ts"
import { withClient } from "../test/harness/Database.ts"
import { table, whole } from "../test/harness/Figures.ts"
import { startReceiver } from "../test/harness/Receiver.ts"
import { SeededRandom } from "../test/harness/SeededRandom.ts"
import { startMailServer } from "../test/server/MailServer.ts"
import { startCrashablePostgres } from "./chaos/CrashablePostgres.ts"
import { startNodes } from "./chaos/Nodes.ts"
import { SoakDatabase } from "./soak/Database.ts"
import { openLoad } from "./soak/OpenLoad.ts"
import { makePopulation } from "./soak/Population.ts"
import type { HeldResources } from "./soak/Probe.ts"
import { countOf, minHeld } from "./soak/Probed.ts"
import { judge, PROMISED_MINUTES, type Sample } from "./soak/Report.ts"
import { Visits } from "./soak/Visits.ts"

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: String(PROMISED_MINUTES) },
    share: { type: "string", default: "60" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    snapshots: { type: "boolean", default: false },
    service: { type: "string" }
  }
})
const [seed, minutes, share] = [Number(options.seed), Number(options.minutes), Number(options.share) / 100]

/**
 * The minimum number of samples, the maximum seconds between two samples, and the share of the time used for the
 * warm-up, during which all caches fill.
 */
const SAMPLES = 12
const BETWEEN = 30
const WARM_UP = 0.25

/** The numbers of concurrent visitors to try when finding the maximum rate, and the milliseconds for each. */
const CROWDS = [4, 8, 16, 32]
const CROWD_TIME = 8_000

/** The number of events that expire before each sample, and the time limit for completing the deliveries, in milliseconds. */
const OLD_EVENTS = 500
const DELIVERED = 5_000

/** The maximum share of calls that may be rejected because too many arrived at the same time. */
const MAX_REJECTED_SHARE = 0.001

const began = performance.now()
const logProgress = (text: string) =>
  process.stderr.write(`${((performance.now() - began) / 1_000).toFixed(1)} s: ${text}\n`)
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))

const folder = new URL("results/soak", import.meta.url).pathname
mkdirSync(folder, { recursive: true })
const probe = join(folder, "probe.sock")
rmSync(probe, { force: true })

const file = buildService(options.service)
logProgress(`seed ${seed}: ${minutes} minutes at ${whole(100 * share)} %`)
const rootKey = randomBytes(24).toString("hex")
const arrivals = { webhooks: 0, mails: 0 }
const postgres = await startCrashablePostgres()
const mail = await startMailServer({
  onData: (stream, _session, done) => {
    stream.resume()
    stream.once("end", () => {
      arrivals.mails++
      done(null, "Taken.")
    })
  }
})
const receiver = await startReceiver((_request, _body, response) => {
  arrivals.webhooks++
  response.writeHead(200).end()
})
const nodes = await startNodes(
  1,
  file,
  {
    NODE_OPTIONS: `--import=${new URL("soak/Probe.ts", import.meta.url).href}`,
    SOAK_PROBE: probe,
    DATABASE_URL: postgres.url,
    SALLYPORT_ROOT_KEY: rootKey,
    SALLYPORT_SECRET: randomBytes(24).toString("hex"),
    SALLYPORT_PUBLIC_URL: "http://faults.test",
    SALLYPORT_SMTP_URL: `smtp://${mail.address}`,
    SALLYPORT_MAIL_FROM: "soak@example.test",
    SALLYPORT_ALLOW_PRIVATE_TARGETS: "true",
    SALLYPORT_LIMITS: "off"
  },
  folder
)

const soak = async () => {
  const port = nodes.ports[0] ?? 0
  const population = await makePopulation(port, rootKey, receiver.url)
  const visits = new Visits(port, population, new SeededRandom(seed, 6_000))

  /** Returns the visits per second of this many visitors. A visitor starts the next visit immediately. */
  const throughput = async (visitors: number) => {
    const [from, before] = [performance.now(), visits.counts.visits]
    const visitor = async () => {
      while (performance.now() - from < CROWD_TIME) await visits.visit()
    }
    await Promise.all(Array.from({ length: visitors }, visitor))
    return (1_000 * (visits.counts.visits - before)) / (performance.now() - from)
  }

  return withClient(postgres.url, async (client) => {
    const database = new SoakDatabase(client, population.realmId)
    let maxRate = 0
    for (const visitors of CROWDS) maxRate = Math.max(maxRate, await throughput(visitors))
    const rate = share * maxRate
    logProgress(`maximum ${maxRate.toFixed(1)} visits per second; ${rate.toFixed(1)} from now on`)
    // Calls rejected during the deliberate overload don't count.
    visits.resetCounts()

    const every = Math.min(BETWEEN, (minutes * 60) / SAMPLES)
    const interval = async () => {
      await database.addOldEvents(OLD_EVENTS)
      const { late } = await openLoad(rate, every * 1_000, () => visits.visit())
      for (const from = performance.now(); performance.now() - from < DELIVERED; await setTimeout(50)) {
        if ((await database.undelivered()) === 0) break
      }
      return late
    }
    const look = async (
      since: number,
      snapshot = ""
    ): Promise<Sample & Pick<HeldResources, "cpu"> & { readonly kinds: HeldResources["handles"] }> => {
      const held = await minHeld(probe, options.snapshots && snapshot !== "" ? join(folder, snapshot) : "")
      const { live, resident, fibers, files, cpu } = held
      const [connections, undelivered] = [await database.connections(), await database.undelivered()]
      const at = (performance.now() - since) / 60_000
      const { handles: kinds } = held
      return { at, live, resident, fibers, handles: countOf(kinds), kinds, files, connections, undelivered, cpu }
    }

    /**
     * Runs under load for this many minutes. After each interval, the load pauses for a measurement without requests in
     * flight.
     */
    const intervals = async (count: number, after: () => Promise<void>) => {
      let late = 0
      for (let n = 0; n < count; n++) {
        late = Math.max(late, await interval())
        await after()
      }
      return late
    }

    const intervalsIn = (time: number) => Math.max(1, Math.round((time * 60) / every))
    await intervals(intervalsIn(WARM_UP * minutes), async () => {})
    const [since, before, receivedBefore] = [performance.now(), { ...visits.counts }, { ...arrivals }]
    const samples = [await look(since, "first.heapsnapshot")]
    logProgress("the warm-up is over")
    const late = await intervals(intervalsIn(minutes), async () => {
      const sample = await look(since, samples.length === intervalsIn(minutes) ? "last.heapsnapshot" : "")
      samples.push(sample)
      writeFileSync(join(folder, "samples.json"), `${JSON.stringify(samples, null, 2)}\n`)
      logProgress(`${(sample.live / 2 ** 20).toFixed(2)} MiB live, ${sample.fibers} fibers, ${sample.handles} handles`)
    })
    const seconds = intervalsIn(minutes) * every
    visits.stop()
    const { rows, problems } = judge(samples)
    const { counts } = visits
    const used = (samples.at(-1)?.cpu ?? 0) - (samples[0]?.cpu ?? 0)
    const perSecond = (count: number) => (count / seconds).toFixed(1)
    const uncleared = await database.uncleared()
    return {
      figures: [
        ["seed; machine; load", `${seed}; ${cpus().length} × ${cpus()[0]?.model.trim()}; ${loadavg()[0]?.toFixed(1)}`],
        ["minutes, after a warm-up of", `${minutes}; ${(WARM_UP * minutes).toFixed(1)}`],
        ["visits per second, of the maximum", `${perSecond(counts.visits - before.visits)} of ${maxRate.toFixed(1)}`],
        ["calls per second", perSecond(counts.calls - before.calls)],
        ["CPU time of the service", `${((100 * used) / seconds).toFixed(0)} % of a core`],
        ["logins; sessions ended", `${whole(counts.begun - before.begun)}; ${whole(counts.ended - before.ended)}`],
        ["webhooks", whole(arrivals.webhooks - receivedBefore.webhooks)],
        ["emails", whole(arrivals.mails - receivedBefore.mails)],
        ["old events cleared", whole(OLD_EVENTS * (samples.length - 1) - uncleared)],
        ["maximum concurrent visits", whole(late)],
        ["calls rejected with 503", whole(visits.shed)],
        ["samples", whole(samples.length)]
      ],
      rows,
      rises:
        visits.shed > MAX_REJECTED_SHARE * counts.calls
          ? [...problems, `${visits.shed} calls were rejected with 503.`]
          : problems,
      problems: [
        ...[...visits.wrong].map(([what, count]) => `${count} calls: ${what}`),
        ...nodes.unexpectedExits(),
        ...(counts.begun === counts.ended ? [] : [`${counts.begun - counts.ended} sessions were not ended.`]),
        ...(arrivals.webhooks === receivedBefore.webhooks || arrivals.mails === receivedBefore.mails
          ? ["No webhook or no email arrived."]
          : []),
        ...(uncleared > 0 ? [`${uncleared} old events were not cleared.`] : [])
      ]
    }
  })
}

try {
  const { figures, rows, rises, problems: others } = await soak()
  console.log(`${table(["soak: RG-17", ""], figures)}\n`)
  const head = ["", "at first", "median", "at the end", `growth in ${PROMISED_MINUTES} minutes (95 % confidence)`]
  console.log(`${table(head, rows)}\n`)
  // The compiler and the caches take longer than a few minutes to stabilize.
  const isTrial = minutes < PROMISED_MINUTES
  const problems = isTrial ? others : [...rises, ...others]
  for (const problem of [...rises, ...others]) logProgress(problem)
  const trial = isTrial ? "(a trial: anything that takes time to stabilize is not judged)" : ""
  console.log(problems.length === 0 ? `passed${trial}` : `FAILED: ${problems.length}`)
  if (problems.length > 0) process.exitCode = 1
} finally {
  await nodes.stop()
  receiver.stop()
  await mail.stop()
  await postgres.remove()
}
