import { Effect } from "effect"
import type { AppearanceInput } from "#domain/Appearance"
import { MAX_MARKUP_LENGTH } from "#domain/ConnectedApp"
import { CurrentRealm } from "#domain/Realm"
import { type Problem, problem } from "#domain/Rejected"
import { isWithin, presence } from "#domain/Text"
import { ContentCleaner } from "./ContentCleaner.ts"
import { logoReader, type ReadLogos } from "./LogoImages.ts"

/** What a caller may send of an app that has to be cleaned. */
interface ContentInput {
  readonly header?: string | null | undefined
  readonly footer?: string | null | undefined
  readonly appearance?: AppearanceInput | null | undefined
}

/** The content of an app that a caller has sent, cleaned, and what is wrong with it. */
export interface CleanContent {
  readonly markup: { readonly header?: string | null; readonly footer?: string | null }
  readonly problems: ReadonlyArray<Problem>
  readonly logos: ReadLogos
}

/**
 * Makes the operation that cleans what a caller has sent of an app. It waits for another thread, so it is never called inside a
 * transaction.
 */
export const contentReader = Effect.gen(function* () {
  const cleaner = yield* ContentCleaner
  const readLogos = logoReader(cleaner)
  return Effect.fn("CleanContent.read")(function* ({ header, footer, appearance }: ContentInput) {
    const { id } = yield* CurrentRealm
    const problems: Array<Problem> = []
    const clean = Effect.fnUntraced(function* (field: string, markup: string | null | undefined) {
      // A text that is too long is refused by whoever validates the app.
      if (markup === undefined || presence(markup) === null || !isWithin(MAX_MARKUP_LENGTH, markup ?? "")) return markup
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
