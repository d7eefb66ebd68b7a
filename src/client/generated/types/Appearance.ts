// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An appearance. */
export interface Appearance {
  /** The name shown on the pages and in default emails instead of the realm's name. Null if none. */
  readonly name: string | null
  /**
   * The URL of the logo. It is on the host of the app's pages or, for an OAuth client, on the host where its users log
   * in. A new logo has a new URL. Null if none, or if an OAuth client's realm has no login pages.
   */
  readonly logo_url: string | null
  /** The URL of the logo for a dark background. Null if none, or if an OAuth client's realm has no login pages. */
  readonly dark_logo_url: string | null
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
  /** The URL of the logo for emails. Null if none, or if an OAuth client's realm has no login pages. */
  readonly email_logo_url: string | null
  /**
   * The URL of the logo for emails on a dark background. Null if none, or if an OAuth client's realm has no login
   * pages.
   */
  readonly dark_email_logo_url: string | null
}
