// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** The settings of an appearance. */
export interface AppearanceInput {
  /** What people see on the pages and in default mails in place of the realm's name. Default: none. */
  readonly name?: string | null | undefined
  /**
   * The logo on a light background, or on both without `dark_logo`, which the pages show in place of the name: a PNG or
   * SVG image of at most 64 KiB, as a data URL (`data:image/png;base64,…` or `data:image/svg+xml;base64,…`). What is
   * not part of the image is left out; an SVG that contains scripts or refers to anything outside it is refused.
   * Default: none.
   */
  readonly logo?: string | null | undefined
  /**
   * The logo on a dark background, which the pages show in place of the name: a PNG or SVG image of at most 64 KiB, as
   * a data URL (`data:image/png;base64,…` or `data:image/svg+xml;base64,…`). What is not part of the image is left out;
   * an SVG that contains scripts or refers to anything outside it is refused. Default: none.
   */
  readonly dark_logo?: string | null | undefined
  /**
   * The brand color, of buttons and links, as `#rrggbb`. Text on it and links are made readable, whatever the color.
   * `#rgb` is taken, too. Default: none.
   */
  readonly color?: string | null | undefined
  /** The brand color in the dark theme, used as it is. Without it, it is derived from `color`. Default: none. */
  readonly dark_color?: string | null | undefined
}
