import { Api } from "#testing/Api"
import type { Program } from "../../test/harness/Servers.ts"
import { measureDisturbedReads, type RepeatedCall } from "./DisturbedReads.ts"

/** The length of a logo or header in bytes, with room for its number. */
const LENGTH = 65_000

const filled = (element: string) => element.repeat(Math.floor(LENGTH / element.length))

const shapes = filled('<path d="M0 0h9"></path>')
const words = filled('<b title="a">b</b> ')

/** A drawing that the service has never cleaned before. */
const logo = (n: number) => {
  const file = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 ${n + 1}">${shapes}</svg>`
  return `data:image/svg+xml;base64,${Buffer.from(file).toString("base64")}`
}

/** Measures reads of another realm while twelve connections save new logos and markup (SEC-249). */
export const measureSavedContent = (program: Program, rootKey: string, url: string, seconds: number) =>
  measureDisturbedReads(program, rootKey, url, seconds, {
    title: "Logos and markup saved by 12 connections",
    number: 19,
    connections: 12,
    pauseMillis: 100,
    // Requests that exceed a realm's share get 503 and are asked to wait.
    statuses: [200, 503],
    calls: async (port, busy) => {
      const api = new Api(`http://127.0.0.1:${port}`, rootKey, busy.id)
      const app = await api.post("/v2/client_apps", { client_app: { name: "Bench", subdomain: `bench-${port}` } })
      if (app.status !== 201) throw new Error(`The creation of the app returned ${app.status}: ${app.text}`)
      const saving = (changed: (n: number) => object): RepeatedCall => ({
        method: "PUT",
        path: `/v2/client_apps/${app.id}`,
        type: "application/json",
        body: (n) => JSON.stringify({ client_app: changed(n) })
      })
      return {
        "logos of 64 KiB": saving((n) => ({ appearance: { logo: logo(n) } })),
        "headers of 64 KiB": saving((n) => ({ header: `${n} ${words}` }))
      }
    }
  })
