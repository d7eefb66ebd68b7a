import { expect, test } from "vitest"
import { assembledAt, USER } from "../../build/Container.ts"
import { healthCheckOf, stagesOf, textsOf, wordsOf } from "./Dockerfiles.ts"
import { commands, imageEnvironment, imageStage, problemsOf, read } from "./Files.ts"

interface Manifest {
  readonly version: string
  readonly devDependencies: Readonly<Record<string, string>>
}

const manifest = JSON.parse(read("package.json")) as Manifest

const stages = stagesOf(read("Dockerfile"))

test("builds the image with the repository's Node release and labels it with the service's release", () => {
  expect(stages.map(({ base, name }) => [base, name])).toEqual([
    [`node:${manifest.devDependencies["node"]}-bookworm`, "build"],
    ["scratch", undefined]
  ])
  expect(textsOf(imageStage, "LABEL").join()).toContain(`image.version="${manifest.version}"`)
})

test("copies the build stage's files and makes two folders writable for the image's user", () => {
  const assembled = textsOf(stages[0] ?? imageStage, "RUN")
    .find((line) => line.includes("build/Container.ts"))
    ?.split(" ")
    .at(-1)
  const owner = `${USER}:${USER}`
  const copies = imageStage.instructions.filter(({ name }) => name === "COPY")
  expect(copies.map(({ flags, text }) => [flags, text])).toEqual([
    [{ from: "build" }, `${assembled}/root /`],
    [{ from: "build", chown: owner }, `${assembled}/data ${imageEnvironment()["SALLYPORT_DATA_DIR"]}`],
    [{ from: "build", chown: owner }, `${assembled}/compiled ${assembledAt}/dist/compiled`]
  ])
  expect(textsOf(imageStage, "WORKDIR").at(-1)).toBe(assembledAt)
  expect(textsOf(imageStage, "USER")).toEqual([owner])
  expect(textsOf(imageStage, "VOLUME")).toEqual([imageEnvironment()["SALLYPORT_DATA_DIR"]])
})

test("runs existing commands of the program, without a shell", () => {
  const program = ["node", "dist/sallyport.js"]
  expect(wordsOf(imageStage, "ENTRYPOINT")).toEqual(program)
  expect(healthCheckOf(imageStage)).toEqual([...program, "health"])
  const run = wordsOf(imageStage, "RUN")
  expect(run.slice(0, 2)).toEqual(program)
  for (const command of [wordsOf(imageStage, "CMD")[0], "health", run[2]]) expect(commands).toContain(command)
  expect(textsOf(imageStage, "STOPSIGNAL")).toEqual(["SIGTERM"])
})

test("sets only variables that the service accepts, and exposes its port", async () => {
  const { NODE_ENV: _, PATH: __, ...environment } = imageEnvironment()
  expect(await problemsOf(environment, "/run/secrets", {})).toEqual([])
  expect(textsOf(imageStage, "EXPOSE")).toEqual([environment["PORT"]])
})

test("accepts the settings with which the testing guide runs it", async () => {
  const [, run = ""] =
    /docker run ([^`]+)`/.exec(read("docs/guides/test-with-the-clock.md").replaceAll("\n", " ")) ?? []
  const given = Object.fromEntries(
    [...run.matchAll(/-e\s+(\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value])
  )
  expect(Object.keys(given)).toContain("PORT")
  const { NODE_ENV: _, PATH: __, ...environment } = imageEnvironment()
  expect(await problemsOf({ ...environment, ...given }, "/run/secrets", {})).toEqual([])
})
