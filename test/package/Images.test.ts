import { spawn } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { expect, inject, onTestFinished, test } from "vitest"
import { buildStage, copyContext, stagesOf, variablesOf, wordsOf } from "../deploy/Dockerfiles.ts"
import { imageStage, read, root } from "../deploy/Files.ts"
import { type Container, container } from "../server/postgres/ImageRuns.ts"
import { makeJail } from "../server/postgres/Jail.ts"

const emptyFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-build-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts an image on its embedded database, and expects it to become ready and healthy. */
const expectReady = async (image: Container) => {
  const { url, health, log, stop } = await image.start({
    SALLYPORT_ROOT_KEY: "a-root-key-of-more-than-thirty-two-characters"
  })
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const guide = await fetch(`${url}/docs/guides/production`)
  expect(guide.status, log()).toBe(200)
  expect(await health()).toEqual({ code: 0, output: "" })
  await stop()
}

test("the repository's image builds from the files that its Dockerfile copies, and starts", async () => {
  const stages = stagesOf(read("Dockerfile"))
  const context = emptyFolder()
  copyContext(root, context)
  const folders: Record<string, string> = { "": context }
  const jail = makeJail((folder) => {
    for (const [index, stage] of stages.entries()) {
      const into = index === stages.length - 1 ? join(folder, "root") : emptyFolder()
      mkdirSync(into, { recursive: true })
      buildStage(stage, folders, into)
      folders[stage.name ?? ""] = into
    }
  })
  onTestFinished(jail.remove)
  const image = container(imageStage, jail.run)
  const [, , ...command] = wordsOf(imageStage, "RUN")
  expect(await image.run(command, variablesOf(imageStage, "ARG"))).toMatchObject({ code: 0 })
  await expectReady(image)
})

test("the guide's image builds from the packed packages, and starts", async () => {
  const [, dockerfile = ""] = /```dockerfile Dockerfile\n([\s\S]*?)```/.exec(read("docs/guides/production.md")) ?? []
  const [stage] = stagesOf(dockerfile)
  if (stage === undefined) throw new Error("The guide has no Dockerfile.")
  const [context, at] = [emptyFolder(), emptyFolder()]
  for (const tarball of inject("tarballs")) copyFileSync(tarball, join(context, basename(tarball)))
  buildStage(stage, { "": context }, at)
  const [program = ""] = wordsOf(stage, "ENTRYPOINT")
  const cwd = join(at, "sallyport")
  const { SALLYPORT_DATA_DIR = "" } = variablesOf(stage, "ENV")
  const image = container(stage, (words, environment) =>
    spawn(program, words, {
      cwd,
      env: { PATH: process.env["PATH"], ...environment, SALLYPORT_DATA_DIR: join(at, SALLYPORT_DATA_DIR) }
    })
  )
  await expectReady(image)
})
