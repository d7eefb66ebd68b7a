import { type Call, Connection } from "./Load.ts"

/** Waits for some milliseconds. */
export const pause = (millis: number) => new Promise((resume) => setTimeout(resume, millis))

/**
 * Sends calls in an open loop, at a fixed rate and without waiting for earlier responses. Each call uses an idle
 * connection or opens a new one.
 */
export const openLoop = (port: number, perSecond: number, next: () => Call) => {
  const idle: Array<Connection> = []
  const done: Array<number> = []
  const shed: Array<number> = []
  const counts: { wrong: number; connections: number; firstWrong: string | undefined } = {
    wrong: 0,
    connections: 0,
    firstWrong: undefined
  }
  const send = async (due: number) => {
    const connection = idle.pop() ?? new Connection(port)
    const problem = await connection.send(next())
    const millis = performance.now() - due
    if (problem === undefined) done.push(millis)
    else if (problem.startsWith("503")) shed.push(millis)
    else {
      counts.wrong += 1
      counts.firstWrong ??= problem
    }
    if (!connection.socket.destroyed) idle.push(connection)
  }
  const run = async (seconds: number) => {
    const began = performance.now()
    const all = Math.floor(seconds * perSecond)
    const answers: Array<Promise<void>> = []
    for (let sent = 0; sent < all; ) {
      const due = Math.min(all, Math.floor(((performance.now() - began) / 1_000) * perSecond))
      for (; sent < due; sent++) answers.push(send(began + ((sent + 1) / perSecond) * 1_000))
      await pause(1)
    }
    await Promise.all(answers)
    const elapsed = (performance.now() - began) / 1_000
    for (const { socket } of idle) socket.destroy()
    return { done, shed, elapsed, ...counts }
  }
  return run
}
