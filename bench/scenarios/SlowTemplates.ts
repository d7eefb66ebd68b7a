import { Agent } from "node:http"
import { SMTPServer } from "smtp-server"
import { render } from "#core/mail/Rendering"
import { Api } from "#testing/Api"
import { withClient } from "../../test/harness/Database.ts"
import { send } from "../../test/harness/HttpClient.ts"
import {
  cpuSeconds,
  memory,
  type Program,
  type Server,
  start,
  timeToFirstResponse
} from "../../test/harness/Servers.ts"
import { type Spread, spreadOf } from "../load/Rounds.ts"

/** The delay that emails cause for other callers if they use the slowest accepted template. */
export interface SlowTemplates {
  /** The text that the template repeats, and the time to render one email in this process, in milliseconds. */
  readonly shape: string
  readonly millis: number
  readonly realms: number
  readonly mails: number
  /** The percentage of a core that the process used, without and with emails. */
  readonly core: { readonly without: number; readonly beside: number }
  readonly resident: { readonly before: number; readonly peak: number }
  readonly reads: ReadonlyArray<ReadDelays>
  readonly wrong: number
  readonly firstWrong: string | undefined
}

/** The latencies of one kind of read in milliseconds, without and with emails, and the ratio of the p99s in each round. */
export interface ReadDelays {
  readonly what: string
  readonly without: { readonly p50: number; readonly p99: number }
  readonly beside: { readonly p50: number; readonly p99: number }
  readonly ratio: number
  readonly ratios: Spread
}

/**
 * The length and the number of measurements. `realms`: the number of realms that send emails, each through its own
 * hook.
 */
export interface TemplatesPace {
  readonly rounds: number
  readonly windowMillis: number
  readonly realms: number
}

const LENGTH = 16_384

/** Texts that are expensive to parse when repeated. */
const shapes =
  "*a_¦_a*¦~~*a¦**a¦_a*¦[a](¦![¦`a¦> |<a ¦&#¦a.¦https://a ¦\\*¦1. ¦- - ¦<b>¦**a ¦a~~b ¦<div>¦<p>a¦<td>¦<!¦[a][¦a\n-\n¦|a|\n|-|\n¦# a\n¦* a\n  ¦[a]: b\n¦- a\n\n¦> a\n\n¦```\na\n```\n¦<a href=x>¦<ul><li>¦<table><tr><td>¦<p title='a'>b</p>¦<b>{{email}}</b> ".split(
    "¦"
  )

const values = {
  app_name: "Acme",
  code: "123456",
  deletion_at: "31 January 2026",
  email: "ada@example.test",
  event_at: "1 January 2026",
  first_name: "Ada",
  expires_in: "3 days",
  full_name: "Ada Lovelace",
  inviter_name: "Grace Hopper",
  ip: "192.0.2.1",
  org_name: "Pilots",
  realm_name: "Acme",
  token: "tpw:abc",
  url: "https://acme.example.test/reset?token=tpw%3Aabc",
  username: "ada"
}

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const at = (sorted: ReadonlyArray<number>, share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const latency = (delays: ReadonlyArray<number>) => {
  const sorted = delays.toSorted((a, b) => a - b)
  return { p50: at(sorted, 0.5), p99: at(sorted, 0.99) }
}

const hookOf = (realm_id: string, email_renderer: string, email_template: string) => ({
  hook: {
    realm_id,
    hook_type: "email",
    event_type: ["user.updated"],
    email_subject: "Hi",
    email_renderer,
    email_template
  }
})

/** The minimum time to render one email in this process, in milliseconds, or 0 if the template is nested too deeply. */
const costOf = (renderer: "markdown" | "html+text", template: string): number => {
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now()
    try {
      render({ renderer, subject: "Hi", template }, values)
    } catch {
      return 0
    }
    return performance.now() - began
  })
  return Math.min(...times)
}

/** Tries every shape at several lengths. Returns the slowest template that the service accepts. */
const worstTemplate = async (root: Api) => {
  let worst = { shape: "", renderer: "markdown" as "markdown" | "html+text", template: "", millis: 0 }
  for (const shape of shapes) {
    for (const renderer of ["markdown", "html+text"] as const) {
      for (const share of [1, 0.6, 0.3]) {
        const template = shape.repeat(Math.floor((LENGTH * share) / shape.length))
        const realm = await root.post("/v2/realms", { realm: { name: "Trial", jwt_algo: "hs256" } })
        const { status } = await root.post("/v2/hooks", hookOf(realm.id, renderer, template))
        if (status !== 201 && status !== 422) throw new Error(`A trial returned ${status}.`)
        if (status === 422) continue
        const millis = costOf(renderer, template)
        if (millis > worst.millis) worst = { shape: `${JSON.stringify(shape)} × ${share}`, renderer, template, millis }
        break
      }
    }
  }
  return worst
}

const insertEvents = `insert into events (realm_id, id, event_type, event_at, user_id, request_ip, request_client)
  select $1, 'ev_7' || lpad(to_hex(n), 9, '0') || repeat('0', 16), 'user.updated', $3, $4, '203.0.113.7', 'bench'
  from generate_series(1, $2::int) n`

const insertDeliveries = `insert into deliveries (realm_id, id, event_id, hook_realm_id, hook_id, hook_type, state, attempts,
    created_at, due_at)
  select $1, 'ent_' || lpad(to_hex($5::int + n), 10, '0') || repeat('0', 16),
    'ev_7' || lpad(to_hex(n), 9, '0') || repeat('0', 16), $1, $4, 'email', 'in_progress', 0, $3, $3
  from generate_series(1, $2::int) n`

/** The number of due emails in each realm, more than can be sent during a window. */
const DUE = 300

/** Creates a realm whose hook sends the template to one user. */
const mailingRealm = async (root: Api, url: string, renderer: string, template: string) => {
  const realm = await root.post("/v2/realms", { realm: { name: "Slow", jwt_algo: "hs256" } })
  const user = await new Api(root.url, root.key, realm.id).post("/v2/users", {
    user: { email: "ada@example.test", credentials: [] }
  })
  const hook = await root.post("/v2/hooks", hookOf(realm.id, renderer, template))
  if (hook.status !== 201) throw new Error(`The creation of a hook returned ${hook.status}.`)
  await withClient(url, (client) => client.query(insertEvents, [realm.id, DUE, new Date(), user.id]))
  return { realmId: realm.id, hookId: hook.id, userId: user.id }
}

/** The milliseconds between two reads of one kind: frequent enough for a measurement, but too rare to load the service. */
const READ_EVERY = 4

/** Measures reads on one node, alternately without and with emails that use the slowest template. */
export const measureSlowTemplates = async (
  program: Program,
  rootKey: string,
  url: string,
  { rounds, windowMillis, realms }: TemplatesPace
): Promise<SlowTemplates> => {
  let mails = 0
  const sink = new SMTPServer({
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    logger: false,
    onData: (stream, _, done) => {
      stream.resume()
      stream.once("end", () => {
        mails++
        done(null)
      })
    }
  })
  await new Promise<void>((done) => void sink.listen(0, "127.0.0.1", done))
  const address = sink.server.address()
  const port = typeof address === "object" ? (address?.port ?? 0) : 0
  const environment = {
    ...program.environment,
    SALLYPORT_SMTP_URL: `smtp://127.0.0.1:${port}`,
    SALLYPORT_MAX_REALMS: "1000"
  }
  const server: Server = await start({ ...program, environment })
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  let wrong = 0
  let firstWrong: string | undefined
  try {
    await timeToFirstResponse(server, "/healthz")
    const root = new Api(`http://127.0.0.1:${server.port}`, rootKey)
    const worst = await worstTemplate(root)
    const mailing: Array<Awaited<ReturnType<typeof mailingRealm>>> = []
    for (let n = 0; n < realms; n++) mailing.push(await mailingRealm(root, url, worst.renderer, worst.template))
    const other = await root.post("/v2/realms", { realm: { name: "Other", jwt_algo: "hs256" } })
    const own = new Api(root.url, root.key, other.id)
    const reader = await own.post("/v2/users", { user: { email: "bo@example.test", credentials: [] } })
    const key = await root.post("/v2/api_keys", {
      api_key: { name: "bench", level: "read", realm_id: other.id }
    })
    const readTargets = [
      { what: "`/healthz`", options: { agent, port: server.port, method: "GET", path: "/healthz" } },
      {
        what: "another realm's user",
        options: { agent, port: server.port, key: key.string("key"), method: "GET", path: `/v2/users/${reader.id}` }
      }
    ]

    /** Measures one window: the latencies of each kind of read, and the percentage of a core that the process used. */
    const window = async () => {
      const [began, cpu] = [performance.now(), cpuSeconds(server)]
      const delays = await Promise.all(
        readTargets.map(async ({ options }) => {
          const own: Array<number> = []
          while (performance.now() - began < windowMillis) {
            const { status, text, millis } = await send(options)
            if (status === 200) own.push(millis)
            else firstWrong ??= (wrong++, `${status} ${text.slice(0, 200)}`)
            await wait(READ_EVERY)
          }
          return own
        })
      )
      return { delays, core: (100 * (cpuSeconds(server) - cpu)) / ((performance.now() - began) / 1_000) }
    }

    let from = 0
    const beside = async () => {
      from += DUE
      await withClient(url, async (client) => {
        for (const { realmId, hookId } of mailing) {
          await client.query(insertDeliveries, [realmId, DUE, new Date(), hookId, from])
        }
      })
      const before = mails
      // Updating the user records an event, which wakes the actor. The first emails use each realm's burst allowance.
      await own.put(`/v2/users/${reader.id}`, { user: { first_name: `Bo ${from}` } })
      while (mails < before + 3 * realms) await wait(50)
      const made = mails
      const measured = await window()
      if (mails === made) firstWrong ??= (wrong++, "no email was sent meanwhile")
      await withClient(url, (client) => client.query("delete from deliveries where hook_type = 'email'"))
      // Emails that are being sent get time to finish.
      await wait(1_000)
      return measured
    }

    await window()
    const before = memory(server).resident
    mails = 0
    const pairs: Array<Readonly<Record<"without" | "beside", Awaited<ReturnType<typeof window>>>>> = []
    for (let round = 0; round < rounds; round++) {
      const first = round % 2 === 0 ? await window() : await beside()
      const second = round % 2 === 0 ? await beside() : await window()
      pairs.push(round % 2 === 0 ? { without: first, beside: second } : { without: second, beside: first })
    }
    const mean = (of: (pair: (typeof pairs)[number]) => number) =>
      pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length
    return {
      shape: `${worst.shape}, ${worst.renderer}`,
      millis: worst.millis,
      realms,
      mails,
      core: { without: mean((pair) => pair.without.core), beside: mean((pair) => pair.beside.core) },
      resident: { before, peak: memory(server).peak },
      reads: readTargets.map(({ what }, n) => {
        const all = (which: "without" | "beside") => latency(pairs.flatMap((pair) => pair[which].delays[n] ?? []))
        const [without, withThem] = [all("without"), all("beside")]
        const ratios = pairs.map(
          (pair) => latency(pair.beside.delays[n] ?? []).p99 / latency(pair.without.delays[n] ?? []).p99
        )
        return { what, without, beside: withThem, ratio: withThem.p99 / without.p99, ratios: spreadOf(ratios) }
      }),
      wrong,
      firstWrong
    }
  } finally {
    agent.destroy()
    await server.stop("SIGKILL")
    await new Promise<void>((done) => sink.close(done))
  }
}
