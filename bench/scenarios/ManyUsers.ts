import { Api } from "#testing/Api"
import { withClient } from "../../test/harness/Database.ts"
import { whole } from "../../test/harness/Figures.ts"
import { start, timeToFirstResponse } from "../../test/harness/Servers.ts"
import { casesInRealm } from "../load/Cases.ts"
import { type CaseResult, measureCase } from "../load/Rounds.ts"
import { seedRealm } from "../load/Seed.ts"
import { comparedRows, type ResultTable, wrongOf } from "../report/ResultTable.ts"

import type { Context } from "./Scenario.ts"

const FEW_USERS = 1_000

/** The maximum CPU time per request with many users, as a multiple of the time with few. */
const MAX_RATIO = 1.2

/** Measures the cases in a realm with very many users and in a realm with few users, in turn and on the same server. */
export const measureManyUsers = async ({ service, rootKey, url, quick, pace }: Context): Promise<ResultTable> => {
  const many = quick ? 100_000 : 1_000_000
  const server = await start(service)
  try {
    await timeToFirstResponse(server, "/healthz")
    const api = new Api(`http://127.0.0.1:${server.port}`, rootKey)
    const [few, crowd] = [await seedRealm(api, url, 31, FEW_USERS), await seedRealm(api, url, 32, many)]
    await withClient(url, (client) => client.query("vacuum analyze"))
    const others = casesInRealm(few, quick)
    const measured: Array<CaseResult> = []
    for (const one of casesInRealm(crowd, quick)) {
      const other = others.find(({ name }) => name === one.name)
      if (other === undefined) continue
      const title = one.title.replace(/ of [\d,]+$/, "")
      const compared = [{ server, next: other.next, target: MAX_RATIO }]
      measured.push(await measureCase({ name: one.name, title }, { server, next: one.next }, compared, pace))
    }
    return {
      title: `CPU per request, × a realm with ${whole(FEW_USERS)} users, in one with ${whole(many)}`,
      rows: comparedRows(measured),
      ...wrongOf(measured)
    }
  } finally {
    await server.stop("SIGKILL")
  }
}
