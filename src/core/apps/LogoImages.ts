import { createHash } from "node:crypto"
import { Effect } from "effect"
import { type AppearanceInput, type Logo, MAX_LOGO_SIZE } from "#domain/Appearance"
import { type Problem, problem } from "#domain/Rejected"
import { presence } from "#domain/Text"
import { MAX_PIXELS, readPng } from "./PngLogo.ts"
import { loadSvgReader } from "./SvgLogo.ts"

/** The logos that a caller has sent, read, and what is wrong with the others. */
export interface ReadLogos {
  readonly logo: Logo | undefined
  readonly darkLogo: Logo | undefined
  readonly problems: ReadonlyArray<Problem>
}

/** Of a text without white space around it. No two parts match the same, or some texts would take half a minute (SEC-142). */
const dataUrl = /^data:image\/(png|svg\+xml);base64,([A-Za-z\d+/\s]+={0,2})$/

const params = { most: MAX_PIXELS }

/** Reads a logo from a data URL. Its content is stored as it was read, not as it was sent (SEC-138). */
const readLogo = Effect.fnUntraced(function* (field: string, input: string) {
  const [, type, base64] = dataUrl.exec(input.trim()) ?? []
  if (base64 === undefined) return problem(field, "logo_form")
  const file = Buffer.from(base64, "base64")
  if (file.length > MAX_LOGO_SIZE) return problem(field, "logo_size")
  const bytes = type === "png" ? readPng(file) : (yield* loadSvgReader)(file)
  if (typeof bytes === "string") return problem(field, bytes, bytes === "logo_dimensions" ? params : {})
  if (bytes.length > MAX_LOGO_SIZE) return problem(field, "logo_size")
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 32)
  const logo: Logo = { file: `${digest}.${type === "png" ? "png" : "svg"}`, bytes }
  return logo
})

/** Reads the logos of an appearance. Without any, nothing is done. */
export const readLogos = Effect.fnUntraced(function* (
  input: AppearanceInput | null | undefined
): Effect.fn.Return<ReadLogos> {
  const problems: Array<Problem> = []
  const read = Effect.fnUntraced(function* (field: string, sent: string | null | undefined) {
    if (sent === undefined || sent === null || presence(sent) === null) return undefined
    const found = yield* readLogo(field, sent)
    if ("file" in found) return found
    problems.push(found)
    return undefined
  })
  const logo = yield* read("appearance.logo", input?.logo)
  const darkLogo = yield* read("appearance.dark_logo", input?.darkLogo)
  return { logo, darkLogo, problems }
})
