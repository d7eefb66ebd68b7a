// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A brand appearance. */
export interface BrandAppearance {
  /** The name shown on the pages and in default emails instead of the realm's name. Null if none. */
  readonly name: string | null
  /** The logo, as a data URL. Null if none. */
  readonly logo: string | null
  /** The logo on a dark background, as a data URL. Null if none. */
  readonly dark_logo: string | null
  /**
   * The brand color of buttons and links, as `#rrggbb`. The pages adjust links and text on the color so that they stay
   * readable. Null if none.
   */
  readonly color: string | null
  /** The brand color in the dark theme, used without adjustment. Default: derived from `color`. Null if none. */
  readonly dark_color: string | null
  /**
   * The color around the card of pages and emails, as `#rrggbb`: of the whole page with the layout `plain`, and of the
   * colored half with `split`. The pages choose text colors that are readable on it. Null if none.
   */
  readonly background: string | null
  /**
   * The background in the dark theme. Default: `background` unless it is light, else the default dark background. Null
   * if none.
   */
  readonly dark_background: string | null
  /**
   * The font of pages and emails. Each value is a list of fonts that operating systems include; no font is downloaded.
   * Null for `system`.
   */
  readonly font: "system" | "grotesque" | "geometric" | "humanist" | "rounded" | "serif" | "slab" | "mono"
  /** How round the corners of buttons, fields and the card are. Null for `medium`. */
  readonly radius: "none" | "small" | "medium" | "large" | "round"
  /**
   * The layout of the pages: a card on the background (`card`), no card (`plain`), or on wide screens, a colored half
   * with the logo beside the form (`split`). Null for `card`.
   */
  readonly layout: "card" | "plain" | "split"
  /** The logo in emails, as a data URL. Null if none. */
  readonly email_logo: string | null
  /** The logo in emails on a dark background, as a data URL. Null if none. */
  readonly dark_email_logo: string | null
}
