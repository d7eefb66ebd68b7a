import { execFileSync } from "node:child_process"
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from "node:fs"
import { basename, join, relative, resolve } from "node:path"

/** One instruction of a Dockerfile: `COPY --from=build /image /` has the name `COPY`, the flag `from` and the words `/image /`. */
interface Instruction {
  readonly name: string
  readonly flags: Readonly<Record<string, string>>
  readonly text: string
}

/** The base of a Dockerfile's stage, and its instructions in order. */
export interface Stage {
  readonly base: string
  readonly name: string | undefined
  readonly instructions: ReadonlyArray<Instruction>
}

const FLAG = /^--([\w-]+)=(\S+)\s+/

const instructionOf = (line: string): Instruction => {
  const [, name = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? []
  const flags: Record<string, string> = {}
  let text = rest
  for (let flag = FLAG.exec(text); flag !== null && name !== "HEALTHCHECK"; flag = FLAG.exec(text)) {
    flags[flag[1] ?? ""] = flag[2] ?? ""
    text = text.slice(flag[0].length)
  }
  return { name, flags, text }
}

/** The stages of a Dockerfile. */
export const stagesOf = (dockerfile: string): ReadonlyArray<Stage> => {
  const lines = dockerfile
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
  const stages: Array<{ base: string; name: string | undefined; instructions: Array<Instruction> }> = []
  for (const instruction of lines.map(instructionOf)) {
    if (instruction.name !== "FROM") stages.at(-1)?.instructions.push(instruction)
    else {
      const [base = "", , name] = instruction.text.split(/\s+/)
      stages.push({ base, name, instructions: [] })
    }
  }
  return stages
}

/** The texts of a stage's instructions with this name, in order. */
export const textsOf = (stage: Stage, name: string): ReadonlyArray<string> =>
  stage.instructions.flatMap((instruction) => (instruction.name === name ? [instruction.text] : []))

/** The words of an instruction in its JSON form, such as `CMD ["serve"]`. The last such instruction of a stage applies. */
export const wordsOf = (stage: Stage, name: string): ReadonlyArray<string> =>
  JSON.parse(textsOf(stage, name).at(-1) ?? "[]")

/** The variables that `ENV` or `ARG` instructions of a stage set. */
export const variablesOf = (stage: Stage, name: "ENV" | "ARG"): Readonly<Record<string, string>> =>
  Object.fromEntries(textsOf(stage, name).flatMap((text) => text.split(" ").map((pair) => pair.split("=", 2))))

/** The command of a stage's health check. */
export const healthCheckOf = (stage: Stage): ReadonlyArray<string> =>
  JSON.parse(/CMD\s+(\[.*\])$/.exec(textsOf(stage, "HEALTHCHECK").join())?.[1] ?? "[]")

/** Copies a folder as an engine sends it to a build: without the files that its `.dockerignore` excludes. */
export const copyContext = (folder: string, to: string): void => {
  const rules = readFileSync(join(folder, ".dockerignore"), "utf8").split("\n").filter(Boolean)
  const [all, ...kept] = rules
  if (all !== "*" || kept.some((rule) => !/^![\w./-]+$/.test(rule))) {
    throw new Error("The .dockerignore is expected to exclude everything and then to list the exceptions.")
  }
  for (const path of kept.map((rule) => rule.slice(1))) cpSync(join(folder, path), join(to, path), { recursive: true })
}

/** Copies as `COPY` does: a folder's content, a file to a name, or several files into a folder. */
const copy = (sources: ReadonlyArray<string>, from: string, to: string, isFolder: boolean): void => {
  for (const pattern of sources) {
    const found = globSync(relative("/", resolve("/", pattern)) || ".", { cwd: from })
    if (found.length === 0) throw new Error(`COPY finds no ${pattern}.`)
    for (const path of found) {
      const into = isFolder && statSync(join(from, path)).isFile() ? join(to, basename(path)) : to
      cpSync(join(from, path), into, { recursive: true })
    }
  }
}

/**
 * Performs a stage's copies and commands in order, without a container engine. The folder `root` represents the
 * container's root: absolute paths in the stage's commands are below it. `folders` contains the context under `""`, and
 * earlier stages under their names. Commands in JSON form run in the finished image, so they are left to the caller.
 */
export const buildStage = (stage: Stage, folders: Readonly<Record<string, string>>, root: string): void => {
  let cwd = root
  for (const { name, flags, text } of stage.instructions) {
    if (name === "WORKDIR") {
      cwd = join(root, text)
      mkdirSync(cwd, { recursive: true })
    } else if (name === "COPY") {
      const words = text.split(/\s+/)
      const destination = words.at(-1) ?? ""
      const from = folders[flags["from"] ?? ""]
      if (from === undefined) throw new Error(`No stage is named ${flags["from"]}.`)
      const to = destination.startsWith("/") ? join(root, destination) : join(cwd, destination)
      copy(words.slice(0, -1), from, to, words.length > 2 || destination.endsWith("/") || existsSync(to))
    } else if (name === "RUN" && !text.startsWith("[")) {
      const command = text.replaceAll(/(?<=^|\s)\/(?=\w)/g, `${root}/`)
      // Only root can change a file's owner. For other users the owner stays the same.
      const own = process.getuid?.() === 0 ? command : command.replaceAll(/\bchown\b/g, "true")
      execFileSync("sh", ["-c", own], { cwd, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" })
    }
  }
}
