import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { assembledAt, USER } from "../../build/Container.ts"
import { commands, imageEnvironment, instructions, problemsOf, read, root, words } from "./Files.ts"

interface Manifest {
  readonly version: string
  readonly devDependencies: Readonly<Record<string, string>>
}

const manifest = JSON.parse(read("package.json")) as Manifest

test("Every file that the Dockerfile copies from the project exists and is not ignored", () => {
  const ignored = read(".dockerignore").split("\n").filter(Boolean)
  expect(ignored[0]).toBe("*")
  const kept = ignored.slice(1)
  const copied = instructions("COPY").filter((line) => !line.startsWith("--from"))
  const sources = copied.flatMap((line) => line.split(/\s+/).slice(0, -1))
  for (const source of sources) expect(existsSync(join(root, source)), source).toBe(true)
  expect(kept.toSorted()).toEqual(sources.map((source) => `!${source}`).toSorted())
})

test("The image is built with the Node of the repository, and has its release as a label", () => {
  expect(instructions("FROM")).toEqual([`node:${manifest.devDependencies["node"]}-bookworm AS build`, "scratch"])
  expect(instructions("LABEL").join()).toContain(`image.version="${manifest.version}"`)
})

test("The image takes from the build stage what is assembled there, and gives its user two folders", () => {
  const assembled = instructions("RUN")
    .find((line) => line.includes("build/Container.ts"))
    ?.split(" ")
    .at(-1)
  const own = `--chown=${USER}:${USER} `
  expect(instructions("COPY").filter((line) => line.startsWith("--from=build"))).toEqual([
    `--from=build ${assembled}/root /`,
    `--from=build ${own}${assembled}/data ${imageEnvironment().SALLYPORT_DATA_DIR}`,
    `--from=build ${own}${assembled}/compiled ${assembledAt}/dist/compiled`
  ])
  expect(instructions("WORKDIR").at(-1)).toBe(assembledAt)
  expect(instructions("USER")).toEqual([`${USER}:${USER}`])
  expect(instructions("VOLUME")).toEqual([imageEnvironment().SALLYPORT_DATA_DIR])
})

test("The image runs the program by commands that it has, without a shell", () => {
  const program = ["node", "dist/sallyport.js"]
  expect(words("ENTRYPOINT")).toEqual(program)
  const [, check = "[]"] = /CMD (\[.*\])$/.exec(instructions("HEALTHCHECK").join()) ?? []
  expect(JSON.parse(check)).toEqual([...program, "health"])
  const run = JSON.parse(instructions("RUN").at(-1) ?? "[]")
  expect(run.slice(0, 2)).toEqual(program)
  for (const command of [words("CMD")[0], "health", run[2]]) expect(commands).toContain(command)
  expect(instructions("STOPSIGNAL")).toEqual(["SIGTERM"])
})

test("The service takes what the image sets, and listens on the port that the image exposes", async () => {
  const { NODE_ENV: _, PATH: __, ...environment } = imageEnvironment()
  expect(await problemsOf(environment, "/run/secrets", {})).toEqual([])
  expect(instructions("EXPOSE")).toEqual([environment.PORT])
})
