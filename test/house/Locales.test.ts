import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"

const root = resolve(import.meta.dirname, "../..")

const sources: ReadonlyArray<readonly [path: string, text: string]> = readdirSync(join(root, "src"), {
  recursive: true,
  encoding: "utf8"
})
  .filter((path) => path.endsWith(".ts"))
  .map((path) => [`src/${path.replaceAll("\\", "/")}`, readFileSync(join(root, "src", path), "utf8")])

const filesWith = (pattern: RegExp) => sources.flatMap(([path, text]) => (pattern.test(text) ? [path] : [])).sort()

/** The files that contain the texts of all locales, except the console's. */
const catalogues = filesWith(/\bRecord<Locale,/).filter((path) => !path.startsWith("src/admin/"))

let scratch = ""

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "sallyport-locales-"))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

/** The compiler's errors in the catalogs if the service supported these locales. */
const errorsWith = async (locales: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const list = await readFile(join(root, "src/domain/Locale.ts"), "utf8")
  const planted = join(scratch, "Locale.ts")
  await writeFile(planted, list.replace(/(?<=const locales = )\[.*?\]/, JSON.stringify(locales)))
  await writeFile(join(scratch, "package.json"), `{ "type": "module" }`)
  await writeFile(
    join(scratch, "tsconfig.json"),
    JSON.stringify({
      extends: join(root, "tsconfig.json"),
      compilerOptions: { paths: { "#domain/Locale": [planted] }, typeRoots: [join(root, "node_modules/@types")] },
      include: [],
      files: catalogues.map((path) => join(root, path))
    })
  )
  return new Promise((done) => {
    const tsc = join(root, "node_modules/typescript/bin/tsc")
    execFile(process.execPath, [tsc, "-p", scratch], { cwd: root }, (_, output) =>
      done(output.split("\n").filter((line) => line !== ""))
    )
  })
}

test("a locale without texts fails to compile in every catalog", { timeout: 120_000 }, async () => {
  expect(await errorsWith(["en", "es"])).toEqual([])
  const errors = await errorsWith(["en", "es", "fr"])
  expect([...new Set(errors.map((line) => line.replace(/\(.*/, "")))]).toEqual(catalogues)
  for (const error of errors) expect(error).toContain("Property 'fr' is missing")
})

test("no other file contains a list of the locales", () => {
  expect(filesWith(/\ben"?,\s*"?es\b/)).toEqual(["src/domain/Locale.ts", ...catalogues].sort())
})

/** Familiar forms of address (tú, vosotros) that don't occur in other Spanish words or in code. */
const familiar =
  /(?<![\p{L}_.])(?:tus?|tú|tuy[oa]s?|te|ti|contigo|tienes|puedes|quieres|podrás|tendrás|has|estás|podéis|elige|introduce|añade|conecta|regístrate|inténtalo|haz|(?:d[eé]j|c[oó]pi|gu[aá]rd|env[ií])al[oa]s?)(?![\p{L}_:])/iu

/** The Spanish part of each file with Spanish texts. */
const spanish = sources.flatMap(([path, text]): ReadonlyArray<readonly [path: string, text: string]> => {
  if (/\/es\w*\.ts$|TextsEs\.ts$/.test(path)) return [[path, text]]
  const start = text.search(/^ *(?:const )?es\b.*\{$/m)
  return start < 0 ? [] : [[path, text.slice(start)]]
})

test("Spanish texts address readers formally", () => {
  expect(spanish.length).toBeGreaterThan(30)
  const found = spanish.flatMap(([path, text]) =>
    [...text.matchAll(/"[^"\n]*"|`[^`\n]*`/g)].flatMap(([literal]) =>
      familiar.test(literal.replaceAll(/«[^»]*»|\$\{[^}]*\}/g, "")) ? [`${path}: ${literal}`] : []
    )
  )
  expect(found).toEqual([])
})
