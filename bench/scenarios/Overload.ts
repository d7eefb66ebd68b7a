import { memory, type Program } from "../../test/harness/Servers.ts"
import { post } from "../load/Cases.ts"
import { type Call, open } from "../load/Load.ts"
import { openLoop } from "../load/OpenLoop.ts"
import { prioritize } from "../load/Priority.ts"
import { passwordHash } from "../load/Seed.ts"
import { type ResultTable, targetVerdict } from "../report/ResultTable.ts"
import { quantileOf, startWithTwoRealms } from "./OverloadSetup.ts"

const READS_PER_SECOND = 50

/** Sends twice as many writes as the service can handle, and measures another caller's reads in the meantime. */
export const measureOverload = async (
  program: Program,
  rootKey: string,
  url: string,
  seconds: number
): Promise<ResultTable> => {
  const { server, busy, nextRead } = await startWithTwoRealms(program, rootKey, url, 11)
  try {
    let made = 0
    const nextWrite = (): Call => {
      const email = `crowd${made++}@example.test`
      const credentials = [{ credential_type: "password", password_hash: passwordHash }]
      return { request: post(busy, "/v2/users", { user: { email, credentials } }), status: 201, expectedTexts: [email] }
    }
    const load = open(server.port, 32)
    await load.run(2_000, nextWrite)
    const alone = await load.run(4_000, nextWrite)
    load.close()
    const capacity = alone.latencies.length / alone.seconds
    prioritize(-15)
    const quiet = await openLoop(server.port, READS_PER_SECOND, nextRead)(3)
    const [writes, reads] = await Promise.all([
      openLoop(server.port, 2 * capacity, nextWrite)(seconds),
      openLoop(server.port, READS_PER_SECOND, nextRead)(seconds)
    ])
    prioritize(0)
    const { peak } = memory(server)
    const [last503, p99] = [quantileOf(writes.shed, 1), quantileOf(reads.done, 0.99)]
    return {
      title: `twice the maximum rate of writes, for ${seconds} s`,
      rows: [
        ["create user, 32 connections in a closed loop, a second", capacity.toFixed(0), ""],
        ["create user, open loop, sent per second", (2 * capacity).toFixed(0), ""],
        ["handled per second", (writes.done.length / writes.elapsed).toFixed(0), ""],
        [
          "of these p50 / p99, ms",
          `${quantileOf(writes.done, 0.5).toFixed(0)} / ${quantileOf(writes.done, 0.99).toFixed(0)}`,
          ""
        ],
        ["asked to retry (503)", String(writes.shed.length), ""],
        [
          "of these p50 / p99, ms",
          `${quantileOf(writes.shed, 0.5).toFixed(0)} / ${quantileOf(writes.shed, 0.99).toFixed(0)}`,
          ""
        ],
        ["the latest of these, ms", last503.toFixed(0), targetVerdict(!(last503 > 3_000), "≤ 3,000")],
        [
          "another caller's reads before, p50 / p99, ms",
          `${quantileOf(quiet.done, 0.5).toFixed(1)} / ${quantileOf(quiet.done, 0.99).toFixed(1)}`,
          ""
        ],
        [
          "another caller's reads meanwhile, p50 / p99, ms",
          `${quantileOf(reads.done, 0.5).toFixed(1)} / ${p99.toFixed(1)}`,
          targetVerdict(p99 <= 100, "p99 ≤ 100")
        ],
        ["reads asked to retry", String(reads.shed.length), targetVerdict(reads.shed.length === 0, "none")],
        ["resident memory, peak, MiB", String(peak), targetVerdict(peak <= 400, "≤ 400")]
      ],
      wrong: writes.wrong + reads.wrong,
      firstWrong: writes.firstWrong ?? reads.firstWrong
    }
  } finally {
    await server.stop("SIGKILL")
  }
}
