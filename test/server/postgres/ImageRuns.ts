import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { expect } from "vitest"
import { healthCheckOf, type Stage, variablesOf, wordsOf } from "../../deploy/Dockerfiles.ts"
import { freePort } from "../../support/PostgresServer.ts"

type Environment = Readonly<Record<string, string | undefined>>

/** Runs an image as a container engine would. */
export interface Container {
  /** Runs a command of the program to its end. */
  readonly run: (
    command: ReadonlyArray<string>,
    environment: Environment
  ) => Promise<{ readonly code: number | null; readonly output: string }>
  /** Starts the image's entry point. `health` runs the image's health check against it. */
  readonly start: (environment: Environment) => Promise<{
    readonly url: string
    /** The output so far. */
    readonly log: () => string
    readonly health: () => ReturnType<Container["run"]>
    readonly stop: () => Promise<void>
  }>
}

/**
 * Runs an image as the last stage of its Dockerfile says. `launch` starts its entry point with arguments in an
 * environment.
 */
export const container = (
  stage: Stage,
  launch: (words: ReadonlyArray<string>, environment: Environment) => ChildProcess
): Container => {
  const { PATH: _, ...variables } = variablesOf(stage, "ENV")
  // A free port on this machine only.
  const ofImage = { ...variables, PORT: "0", HOST: "127.0.0.1" }

  const run: Container["run"] = async (command, environment) => {
    const child = launch(command, { ...ofImage, ...environment })
    let output = ""
    child.stdout?.on("data", (chunk) => (output += chunk))
    child.stderr?.on("data", (chunk) => (output += chunk))
    await once(child, "close")
    return { code: child.exitCode, output }
  }

  const start: Container["start"] = async (environment) => {
    const given = { ...ofImage, ...environment, PORT: "0", SALLYPORT_OPS_PORT: String(await freePort()) }
    const child = launch(wordsOf(stage, "CMD"), given)
    let output = ""
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on("data", (chunk) => {
        output += chunk
        if (/^\{"url":.*\n/m.test(output)) resolve()
      })
      child.stderr?.on("data", (chunk) => (output += chunk))
      child.once("close", () => reject(new Error(output)))
    })
    const url = /^\{"url":"([^"]+)/m.exec(output)?.[1] ?? ""
    const check = healthCheckOf(stage).slice(wordsOf(stage, "ENTRYPOINT").length)
    const stop = async () => {
      const closed = once(child, "close")
      child.kill("SIGTERM")
      await closed
      expect(child.exitCode).toBe(0)
    }
    return { url, log: () => output, health: () => run(check, { ...given, PORT: new URL(url).port }), stop }
  }

  return { run, start }
}
