import type { Cleaned } from "./Cleaned.ts"
import { cleanMarkup } from "./Markup.ts"
import { cleanDrawing } from "./SvgLogo.ts"

/** What is cleaned: the markup of a header or footer, or a drawing (SVG). */
export type ContentKind = "markup" | "drawing"

/** Cleans what a caller has sent. This takes a tenth of a second for the worst input, so it runs on a separate thread only. */
export const clean = (content: ContentKind, text: string): Cleaned =>
  content === "markup" ? { _tag: "Cleaned", text: cleanMarkup(text) } : cleanDrawing(text)
