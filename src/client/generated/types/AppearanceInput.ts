// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** The settings of an appearance. */
export interface AppearanceInput {
  /** The name shown on the pages and in default emails instead of the realm's name. Default: none. */
  readonly name?: string | null | undefined
  /**
   * The logo on a light background, and also on a dark one if there is no `dark_logo`, shown instead of the name. It
   * must be a PNG or SVG image of at most 64 KiB, as a data URL (`data:image/png;base64,…` or
   * `data:image/svg+xml;base64,…`). Metadata is removed; an SVG with scripts or external references is rejected.
   * Default: none.
   */
  readonly logo?: string | null | undefined
  /**
   * The logo on a dark background, shown instead of the name. It must be a PNG or SVG image of at most 64 KiB, as a
   * data URL (`data:image/png;base64,…` or `data:image/svg+xml;base64,…`). Metadata is removed; an SVG with scripts or
   * external references is rejected. Default: none.
   */
  readonly dark_logo?: string | null | undefined
  /**
   * The brand color of buttons and links, as `#rrggbb`. The pages adjust links and text on the color so that they stay
   * readable. `#rgb` is also accepted. Default: none.
   */
  readonly color?: string | null | undefined
  /** The brand color in the dark theme, used without adjustment. Default: derived from `color`. Default: none. */
  readonly dark_color?: string | null | undefined
}
