// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { BrandAppearance } from "./BrandAppearance.ts"

/** A brand. */
export interface Brand {
  /** The type of the object: always `brand`. */
  readonly object: "brand"
  /** The appearance of the app's pages and emails. */
  readonly appearance: BrandAppearance
  /**
   * HTML above the content of the pages. Only text, headings, lists, links, tables, https images and `class` are
   * allowed; everything else is removed. Null if none.
   */
  readonly header: string | null
  /**
   * HTML below the content of the pages. Only text, headings, lists, links, tables, https images and `class` are
   * allowed; everything else is removed. Null if none.
   */
  readonly footer: string | null
  /** The URL of a stylesheet for the pages: https, or http on the browser's own machine. Null if none. */
  readonly external_css: string | null
}
