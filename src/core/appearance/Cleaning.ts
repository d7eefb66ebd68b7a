import type { Cleaned } from "./Cleaned.ts"
import { cleanMarkup } from "./Markup.ts"
import { cleanDrawing } from "./SvgLogo.ts"

/** The kind of content: the markup of a header or footer, or an SVG drawing. */
export type ContentKind = "markup" | "drawing"

/** Cleans a caller's content. Call it only on a separate thread, because it blocks the thread for up to 100 ms. */
export const clean = (content: ContentKind, text: string): Cleaned =>
  content === "markup" ? { _tag: "Cleaned", text: cleanMarkup(text) } : cleanDrawing(text)
