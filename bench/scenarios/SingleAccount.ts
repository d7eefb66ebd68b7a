import type { Program, Server } from "../../test/harness/Servers.ts"
import { post } from "../load/Cases.ts"
import { type Call, Connection } from "../load/Load.ts"
import { openLoop, pause } from "../load/OpenLoop.ts"
import { type ResultTable, targetVerdict } from "../report/ResultTable.ts"
import { quantileOf, startWithTwoRealms } from "./OverloadSetup.ts"

const LOGINS = 50

/** Sends `count` rounds of concurrent logins, with reads at the same time. */
const loginRounds = async (server: Server, count: number, login: () => Call, nextRead: () => Call) => {
  const reads: Array<number> = []
  const connections = Array.from({ length: LOGINS }, () => new Connection(server.port))
  const reader = new Connection(server.port)
  let problem: string | undefined
  for (let round = 0; round < count; round++) {
    let over = false
    const rush = Promise.all(connections.map((connection) => connection.send(login()))).then((answers) => {
      over = true
      problem ??= answers.find((answer) => answer !== undefined && !/^(201|422|429)/.test(answer))
    })
    while (!over) {
      const began = performance.now()
      problem ??= await reader.send(nextRead())
      reads.push(performance.now() - began)
      await pause(5)
    }
    await rush
  }
  for (const { socket } of [...connections, reader]) socket.destroy()
  return { reads, problem }
}

/** Sends many concurrent logins, first of one account and then of different accounts, and measures another caller's reads. */
export const measureOneAccount = async (
  program: Program,
  rootKey: string,
  url: string,
  count: number
): Promise<ResultTable> => {
  const { server, busy, nextRead } = await startWithTwoRealms(program, rootKey, url, 13)
  try {
    let turn = 0
    const of = (user: () => string) => (): Call => {
      const path = `/v2/users/${user()}/authenticate`
      return {
        request: post(busy, path, { user: { password: "wrong horse battery" } }),
        status: 422,
        expectedTexts: []
      }
    }
    const one = of(() => busy.users[round] ?? "")
    const many = of(() => busy.users[500 + (turn++ % 450)] ?? "")
    let round = 0
    const quiet = await openLoop(server.port, 100, nextRead)(3)
    const spread = await loginRounds(server, Math.ceil(count / 4), many, nextRead)
    const found: Array<number> = []
    let problem = spread.problem
    for (; round < count; round++) {
      const { reads, problem: wrong } = await loginRounds(server, 1, one, nextRead)
      found.push(...reads)
      problem ??= wrong
    }
    const [before, beside, meanwhile] = [
      quantileOf(quiet.done, 0.5),
      quantileOf(spread.reads, 0.5),
      quantileOf(found, 0.5)
    ]
    return {
      title: `${LOGINS} logins of one account at once, ${count} times`,
      rows: [
        ["another caller's reads, no other load, p50, ms", before.toFixed(2), ""],
        [`during ${LOGINS} logins of different accounts, p50, ms`, beside.toFixed(2), ""],
        [`during ${LOGINS} logins of one account, p50, ms`, meanwhile.toFixed(2), ""],
        ["p99, ms", quantileOf(found, 0.99).toFixed(1), ""],
        [
          "one account, × different accounts",
          (meanwhile / beside).toFixed(2),
          targetVerdict(meanwhile <= 1.5 * beside, "≤ 1.5")
        ]
      ],
      wrong: problem === undefined ? 0 : 1,
      firstWrong: problem
    }
  } finally {
    await server.stop("SIGKILL")
  }
}
