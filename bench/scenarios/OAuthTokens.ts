import { resolve } from "node:path"
import { Api } from "#testing/Api"
import { createDatabaseBeside } from "../../test/harness/Database.ts"
import { type Program, start, timeToFirstResponse } from "../../test/harness/Servers.ts"
import type { Call } from "../load/Load.ts"
import { type CaseResult, measureCase, type Pace } from "../load/Rounds.ts"
import { type OAuthSeeded, seedOAuth, seedPlainOAuth } from "../load/SeedOAuth.ts"
import { createOAuthTables } from "../plain/OAuthSchema.ts"
import { comparedRows, type ResultTable, wrongOf } from "../report/ResultTable.ts"
import type { Context } from "./Scenario.ts"

/**
 * The maximum CPU time per request, as a multiple of the plain server's. Most of the time is spent on signatures, which
 * both servers compute.
 */
const MAX_RATIO = 1.6

/** A seeded code or refresh token, by its number. */
const seededSecret = (prefix: string, n: number) => prefix + String(n).padStart(43, "0")

const FORM = "application/x-www-form-urlencoded"

/** A form request of a client that sends its secret in the header. */
const formRequest = (path: string, form: Readonly<Record<string, string>>, id: string, secret: string): string => {
  const body = new URLSearchParams(form).toString()
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: bench.test",
    `Authorization: Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
    `Content-Type: ${FORM}`,
    `Content-Length: ${Buffer.byteLength(body)}`
  ]
  return `${head.join("\r\n")}\r\n\r\n${body}`
}

/** Returns a call for each code or refresh token in order, because each works only once. */
const inOrder = (prefix: string, make: (secret: string) => Call): (() => Call) => {
  let used = 0
  return () => make(seededSecret(prefix, ++used))
}

/** The requests of each kind to one server. `access`: an access token issued by that server. */
const requestsOf = ({ realm, client, machine, secret }: OAuthSeeded, access: string) => {
  const at = `/realms/${realm}`
  const token = (form: Readonly<Record<string, string>>, id: string, holds: ReadonlyArray<string>): Call => ({
    request: formRequest(`${at}/token`, form, id, secret),
    status: 200,
    expectedTexts: holds
  })
  const whole = ['"access_token":"', '"refresh_token":"', '"id_token":"']
  return {
    code: inOrder("oac_", (code) =>
      token({ grant_type: "authorization_code", code, redirect_uri: "https://app.bench.test/callback" }, client, whole)
    ),
    refresh: inOrder("ort_", (refresh_token) => token({ grant_type: "refresh_token", refresh_token }, client, whole)),
    "client credentials": () => token({ grant_type: "client_credentials" }, machine, ['"access_token":"']),
    userinfo: (): Call => ({
      request: `GET ${at}/userinfo HTTP/1.1\r\nHost: bench.test\r\nAuthorization: Bearer ${access}\r\n\r\n`,
      status: 200,
      expectedTexts: ['"sub":"', '"email":"']
    }),
    introspection: (): Call => ({
      request: formRequest(`${at}/introspect`, { token: access }, client, secret),
      status: 200,
      expectedTexts: ['"active":true']
    })
  }
}

/** Requests an access token from a server, with the first refresh token, which the load doesn't use. */
const accessOf = async (port: number, { realm, client, secret }: OAuthSeeded): Promise<string> => {
  const api = new Api(`http://127.0.0.1:${port}`, undefined)
  const form = { grant_type: "refresh_token", refresh_token: seededSecret("ort_", 0) }
  const authorization = `Basic ${Buffer.from(`${client}:${secret}`).toString("base64")}`
  const headers = { authorization, "content-type": FORM }
  const body = new URLSearchParams(form).toString()
  return (await api.call("POST", `/realms/${realm}/token`, { headers, body })).string("access_token")
}

/** The number of codes and refresh tokens that the load may need, with a margin. */
const secretsFor = ({ prepare, rounds, warmUp, window }: Pace) =>
  Math.ceil((prepare + rounds * (warmUp + window)) * 1.5)

/** Compares the OAuth endpoints with those of a plain server. */
export const measureOAuthTokens = async ({ service, rootKey, url, pace }: Context): Promise<ResultTable> => {
  const [own, others] = [await createDatabaseBeside(url), await createDatabaseBeside(url)]
  await createOAuthTables(others.url)
  const on = (program: Program, database: string): Program => ({
    ...program,
    environment: { ...program.environment, DATABASE_URL: database }
  })
  const file = resolve(import.meta.dirname, "../plain/oauth.ts")
  const servers = [
    await start(on(service, own.url)),
    await start(on({ ...service, name: "plain", file, flags: [] }, others.url))
  ] as const
  try {
    for (const server of servers) await timeToFirstResponse(server, "/healthz")
    const [ours, plain] = servers
    const count = secretsFor(pace)
    const seeded = await seedOAuth(new Api(`http://127.0.0.1:${ours.port}`, rootKey), own.url, count)
    await seedPlainOAuth(others.url, seeded, count)
    const requests = requestsOf(seeded, await accessOf(ours.port, seeded))
    const theirs = requestsOf(seeded, await accessOf(plain.port, seeded))
    const measured: Array<CaseResult> = []
    for (const name of ["code", "refresh", "client credentials", "userinfo", "introspection"] as const) {
      const compared = [{ server: plain, next: theirs[name], target: MAX_RATIO }]
      measured.push(await measureCase({ name, title: name }, { server: ours, next: requests[name] }, compared, pace))
    }
    return {
      title: "OAuth endpoints, CPU per request, × plain; service / plain",
      rows: comparedRows(measured),
      ...wrongOf(measured)
    }
  } finally {
    for (const server of servers) await server.stop("SIGKILL")
    for (const database of [own, others]) await database.drop()
  }
}
