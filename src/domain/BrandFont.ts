/**
 * The font stacks an app can choose. Every font is installed with an operating system, so the pages and emails load none.
 * Quotation marks are single, so that a stack fits in a `style` attribute.
 */
export const fontStacks = {
  system: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Helvetica, Arial, sans-serif",
  grotesque: "'Helvetica Neue', Helvetica, Inter, Arimo, 'Liberation Sans', Arial, sans-serif",
  geometric: "Avenir, 'Avenir Next', Montserrat, Corbel, 'URW Gothic', 'Century Gothic', source-sans-pro, sans-serif",
  humanist: "'Gill Sans', 'Gill Sans Nova', Optima, Candara, Calibri, 'Noto Sans', 'DejaVu Sans', sans-serif",
  rounded:
    "ui-rounded, 'SF Pro Rounded', 'Hiragino Maru Gothic ProN', Quicksand, Comfortaa, 'Arial Rounded MT Bold', Nunito, sans-serif",
  serif: "'Iowan Old Style', 'Palatino Linotype', 'URW Palladio L', Palatino, 'Book Antiqua', Georgia, serif",
  slab: "Rockwell, 'Rockwell Nova', 'Roboto Slab', 'DejaVu Serif', 'Sitka Small', Cambria, serif",
  mono: "ui-monospace, 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
} as const

export type BrandFont = keyof typeof fontStacks

export const brandFonts = [
  "system",
  "grotesque",
  "geometric",
  "humanist",
  "rounded",
  "serif",
  "slab",
  "mono"
] as const satisfies ReadonlyArray<BrandFont>

/** The corner radii an app can choose, in pixels: of buttons and fields, and of the card. */
export const cornerRadii = {
  none: { control: 0, card: 0 },
  small: { control: 4, card: 8 },
  medium: { control: 8, card: 16 },
  large: { control: 12, card: 24 },
  round: { control: 24, card: 28 }
} as const

export type BrandRadius = keyof typeof cornerRadii

export const brandRadii = ["none", "small", "medium", "large", "round"] as const satisfies ReadonlyArray<BrandRadius>

/**
 * The page layouts an app can choose: a card on the background (`card`), no card (`plain`), or a colored half beside the
 * form on wide screens (`split`).
 */
export const brandLayouts = ["card", "plain", "split"] as const

export type BrandLayout = (typeof brandLayouts)[number]
