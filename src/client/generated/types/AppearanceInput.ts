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
  /**
   * The color around the card of pages and emails, as `#rrggbb`: of the whole page with the layout `plain`, and of the
   * colored half with `split`. The pages choose text colors that are readable on it. Default: none.
   */
  readonly background?: string | null | undefined
  /**
   * The background in the dark theme. Default: `background` unless it is light, else the default dark background.
   * Default: none.
   */
  readonly dark_background?: string | null | undefined
  /**
   * The font of pages and emails. Each value is a list of fonts that operating systems include; no font is downloaded.
   * Default: `system`.
   */
  readonly font?:
    | "system"
    | "grotesque"
    | "geometric"
    | "humanist"
    | "rounded"
    | "serif"
    | "slab"
    | "mono"
    | null
    | undefined
  /** How round the corners of buttons, fields and the card are. Default: `medium`. */
  readonly radius?: "none" | "small" | "medium" | "large" | "round" | null | undefined
  /**
   * The layout of the pages: a card on the background (`card`), no card (`plain`), or on wide screens, a colored half
   * with the logo beside the form (`split`). Default: `card`.
   */
  readonly layout?: "card" | "plain" | "split" | null | undefined
  /**
   * The logo in emails: a PNG image of at most 64 KiB, as a data URL. Many mail clients don't show SVG images. Default:
   * `logo` if it is a PNG image, else none.
   */
  readonly email_logo?: string | null | undefined
  /**
   * The logo in emails on a dark background: a PNG image of at most 64 KiB, as a data URL. Many mail clients don't show
   * SVG images. Default: `dark_logo` if it is a PNG image, else none.
   */
  readonly dark_email_logo?: string | null | undefined
}
