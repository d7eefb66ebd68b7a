import { Effect } from "effect"
import type { AppearanceInput } from "#domain/Appearance"
import { MAX_MARKUP_LENGTH } from "#domain/ConnectedApp"
import { CurrentRealm } from "#domain/Realm"
import { type Problem, problem } from "#domain/Rejected"
import { isWithin, nonBlank } from "#domain/Text"
import { ContentCleaner } from "./ContentCleaner.ts"
import { logoReader, type ReadLogos } from "./LogoImages.ts"

/** The parts of a caller's input for an app that must be cleaned. */
interface ContentInput {
  readonly header?: string | null | undefined
  readonly footer?: string | null | undefined
  readonly appearance?: AppearanceInput | null | undefined
}

/** A caller's cleaned content for an app, and the problems found in it. */
export interface CleanContent {
  readonly markup: { readonly header?: string | null; readonly footer?: string | null }
  readonly problems: ReadonlyArray<Problem>
  readonly logos: ReadLogos
}

/**
 * Makes the operation that cleans a caller's content for an app. The cleaning runs on another thread, so don't wait for it
 * inside a transaction.
 */
export const contentReader = Effect.gen(function* () {
  const cleaner = yield* ContentCleaner
  const readLogos = logoReader(cleaner)
  return Effect.fn("CleanContent.read")(function* ({ header, footer, appearance }: ContentInput) {
    const { id } = yield* CurrentRealm
    const problems: Array<Problem> = []
    const clean = Effect.fnUntraced(function* (field: string, markup: string | null | undefined) {
      // Don't clean text that is too long. It is rejected when the app is validated.
      if (markup === undefined || nonBlank(markup) === null || !isWithin(MAX_MARKUP_LENGTH, markup ?? "")) return markup
      const cleaned = yield* cleaner.clean(id, "markup", markup ?? "")
      if (cleaned._tag === "Cleaned") return cleaned.text
      problems.push(problem(field, "markup_complex"))
      return markup
    })
    const markup = {
      ...(header === undefined ? {} : { header: (yield* clean("header", header)) ?? null }),
      ...(footer === undefined ? {} : { footer: (yield* clean("footer", footer)) ?? null })
    }
    const logos = yield* readLogos(id, appearance)
    const content: CleanContent = { markup, problems, logos }
    return content
  })
})
