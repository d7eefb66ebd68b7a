import { createHash } from "node:crypto"
import { Effect } from "effect"
import { type AppearanceInput, type Logo, type LogoMember, logoMembers, MAX_LOGO_SIZE } from "#domain/Appearance"
import { memberNameOf } from "#domain/EventChanges"
import type { RealmId } from "#domain/Ids"
import type { RenderingBusy } from "#domain/MailTemplate"
import { type Problem, problem } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import type { ContentCleaner } from "./ContentCleaner.ts"
import { MAX_PIXELS, readPng } from "./PngLogo.ts"

/** The valid logos in a caller's input, and the problems found in the invalid ones. */
export interface ReadLogos {
  readonly logos: Partial<Readonly<Record<LogoMember, Logo>>>
  readonly problems: ReadonlyArray<Problem>
}

/** The result for input without logos. */
export const noLogos: ReadLogos = { logos: {}, problems: [] }

/**
 * Matches a trimmed data URL. No two parts match the same characters. Otherwise some inputs would take half a minute
 * (SEC-142).
 */
const dataUrl = /^data:image\/(png|svg\+xml);base64,([A-Za-z\d+/\s]+={0,2})$/

/** The logos that must be PNG images, because many mail clients don't show SVG images. */
const emailLogos: ReadonlySet<LogoMember> = new Set(["emailLogo", "darkEmailLogo"])

const params = { most: MAX_PIXELS }

const decode = (file: Buffer): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file)
  } catch {
    return undefined
  }
}

/** Cleans an SVG file. Returns its bytes, or a problem code. */
const readSvg = Effect.fnUntraced(function* (cleaner: ContentCleaner["Service"], realmId: RealmId, file: Buffer) {
  const text = decode(file)
  if (text === undefined) return "logo_broken"
  const cleaned = yield* cleaner.clean(realmId, "drawing", text)
  if (cleaned._tag === "Cleaned") return Buffer.from(cleaned.text)
  return cleaned._tag === "Refused" ? cleaned.why : "logo_complex"
})

/**
 * Makes the operation that reads the logos of an appearance. Only the cleaned content is stored, never the original
 * (SEC-138).
 */
export const logoReader = (cleaner: ContentCleaner["Service"]) => {
  const readLogo = Effect.fnUntraced(function* (realmId: RealmId, field: string, input: string, onlyPng: boolean) {
    const [, type, base64] = dataUrl.exec(input.trim()) ?? []
    if (onlyPng && type !== "png") return problem(field, "logo_png")
    if (base64 === undefined) return problem(field, "logo_form")
    const file = Buffer.from(base64, "base64")
    if (file.length > MAX_LOGO_SIZE) return problem(field, "logo_size")
    const bytes = type === "png" ? readPng(file) : yield* readSvg(cleaner, realmId, file)
    if (typeof bytes === "string") return problem(field, bytes, bytes === "logo_dimensions" ? params : {})
    if (bytes.length > MAX_LOGO_SIZE) return problem(field, "logo_size")
    const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 32)
    const logo: Logo = { file: `${digest}.${type === "png" ? "png" : "svg"}`, bytes }
    return logo
  })

  return Effect.fnUntraced(function* (
    realmId: RealmId,
    input: AppearanceInput | null | undefined
  ): Effect.fn.Return<ReadLogos, RenderingBusy> {
    const problems: Array<Problem> = []
    const logos: Partial<Record<LogoMember, Logo>> = {}
    for (const member of logoMembers) {
      const sent = input?.[member] ?? null
      if (sent === null || nonBlank(sent) === null) continue
      const found = yield* readLogo(realmId, `appearance.${memberNameOf(member)}`, sent, emailLogos.has(member))
      if ("file" in found) logos[member] = found
      else problems.push(found)
    }
    return { logos, problems }
  })
}
