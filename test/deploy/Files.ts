import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { Completions } from "effect/cli"
import { onTestFinished } from "vitest"
import { parse, parseAllDocuments } from "yaml"
import { root as rootCommand } from "#cli/Root"
import { inspectSettings } from "#server/Config"
import { type Stage, stagesOf, variablesOf } from "./Dockerfiles.ts"

/** The root of the repository. */
export const root = new URL("../../", import.meta.url).pathname

/** The text of a file of the repository. */
export const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** A `docker compose` file with its aliases and merges resolved. */
export const readCompose = (path: string): Compose => parse(read(path), { merge: true })

/** The documents of a YAML file. Fails if one is invalid. */
export const readDocuments = (path: string): ReadonlyArray<unknown> =>
  parseAllDocuments(read(path)).map((document) => {
    if ("errors" in document && document.errors.length > 0) throw document.errors[0]
    return document.toJSON()
  })

const [, finalStage = { base: "", name: undefined, instructions: [] }] = stagesOf(read("Dockerfile"))

/** The stage of the Dockerfile that becomes the image. */
export const imageStage: Stage = finalStage

/** The settings that the image itself sets, by name. */
export const imageEnvironment = (): Readonly<Record<string, string>> => variablesOf(imageStage, "ENV")

/** The paths of the program's commands, each joined into one text. */
export const commands: ReadonlySet<string> = new Set(
  Completions.fromCommand(rootCommand).subcommands.map(({ name }) => name)
)

/** The parts of a compose file that the tests check. */
export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly networks?: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, { readonly environment?: string; readonly file?: string }>>
}

/** A service of a compose file. */
export interface ComposeService {
  readonly build?: string
  readonly image?: string
  readonly user?: string
  readonly ports?: ReadonlyArray<string>
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: ReadonlyArray<string>
  readonly networks?: ReadonlyArray<string> | Readonly<Record<string, { readonly ipv4_address?: string }>>
  readonly depends_on?: ReadonlyArray<string> | Readonly<Record<string, unknown>>
  readonly read_only?: boolean
  readonly cap_drop?: ReadonlyArray<string>
  readonly security_opt?: ReadonlyArray<string>
  readonly stop_grace_period?: string
  readonly volumes?: ReadonlyArray<string>
  readonly entrypoint?: ReadonlyArray<string>
}

/** The result of `${NAME:-default}` in a shell where `NAME` is not set. */
export const withDefaults = (value: string): string => value.replace(/\$\{\w+:-([^}]*)\}/g, "$1")

/**
 * The problems that a service would report in an environment. Its secrets are files with the given content, in a folder
 * that replaces `secretsAt`.
 */
export const problemsOf = async (
  environment: Readonly<Record<string, string>>,
  secretsAt: string,
  secrets: Readonly<Record<string, string>>
): Promise<ReadonlyArray<string>> => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-secrets-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(secrets)) writeFileSync(join(folder, name), `${text}\n`)
  const given = Object.entries(environment).map(([name, value]) => [
    name,
    withDefaults(value).replace(secretsAt, folder)
  ])
  const { problems } = await Effect.runPromise(inspectSettings(Object.fromEntries(given)))
  return problems
}
