import { Api } from "#testing/Api"
import { type Place, startProfiled } from "../harness/Profiler.ts"
import { casesOf } from "../load/Cases.ts"
import { open } from "../load/Load.ts"
import { seedRealm } from "../load/Seed.ts"
import type { ResultTable } from "../report/ResultTable.ts"
import type { Context } from "./Scenario.ts"

const profiled = ["get-session", "create-session", "get-user", "create-user", "list-first-1k"]

/** The number of functions to list. */
const NAMED = 12

/** Returns the package or part of the service that a source file belongs to. */
const ownerOf = (source: string): string => {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? []
  if (name !== undefined) return name
  const [, ring] = /\/src\/([^/]+)\//.exec(source) ?? []
  if (ring !== undefined) return `src/${ring}`
  if (source === "(garbage collector)") return "garbage collection"
  return source.startsWith("node:") ? "Node" : "native code (sockets, crypto, compiler)"
}

const sumBy = (places: ReadonlyArray<Place>, keyOf: (place: Place) => string): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const place of places) sums.set(keyOf(place), (sums.get(keyOf(place)) ?? 0) + place.millis)
  return sums
}

const shortened = ({ source, name }: Place) =>
  source === name
    ? name
    : `${name || "(anonymous)"}, ${source.replace(/^.*?(?=node_modules\/|src\/)/, "").replace("node_modules/", "")}`

/** Shows where the service's main thread spends its time for each kind of request. */
export const measureProfiles = async ({ service, rootKey, url, quick, pace }: Context): Promise<ResultTable> => {
  const { server, during } = await startProfiled(service)
  try {
    const realm = await seedRealm(new Api(`http://127.0.0.1:${server.port}`, rootKey), url, 61, 1_000)
    const all = casesOf({ small: realm, large: realm, growing: realm })
    const cases = all.filter(({ name }) => profiled.includes(name))
    const shares: Array<ReadonlyMap<string, number>> = []
    const functions: Array<ResultTable["rows"][number]> = []
    const load = open(server.port, pace.connections)
    let [wrong, firstWrong]: [number, string | undefined] = [0, undefined]
    for (const { title, next } of cases) {
      await load.run(quick ? 1_000 : 4_000, next)
      const places = await during(async () => {
        const outcome = await load.run(quick ? 2_000 : 8_000, next)
        wrong += outcome.wrong
        firstWrong ??= outcome.firstWrong
      })
      const whole = places.reduce((sum, { millis }) => sum + millis, 0)
      const percent = (sums: ReadonlyMap<string, number>) =>
        new Map([...sums].map(([key, millis]) => [key, (millis / whole) * 100]))
      shares.push(percent(sumBy(places, ({ source }) => ownerOf(source))))
      const topFunctions = [...percent(sumBy(places, shortened))].sort(([, a], [, b]) => b - a).slice(0, NAMED)
      functions.push([
        `${title}: most time spent in`,
        topFunctions.map(([key, of]) => `${of.toFixed(1)} % ${key}`).join("; "),
        ""
      ])
    }
    load.close()
    const total = (owner: string) => shares.reduce((sum, each) => sum + (each.get(owner) ?? 0), 0)
    const owners = [...new Set(shares.flatMap((each) => [...each.keys()]))].sort((a, b) => total(b) - total(a))
    return {
      title: `main thread's own time, % (${cases.map(({ title }) => title).join(" / ")})`,
      rows: [
        ...owners.map((owner): ResultTable["rows"][number] => [
          owner,
          shares.map((each) => (each.get(owner) ?? 0).toFixed(1)).join(" / "),
          ""
        ]),
        ...functions
      ],
      wrong,
      firstWrong
    }
  } finally {
    await server.stop("SIGKILL")
  }
}
