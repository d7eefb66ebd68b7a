const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Escapes text for element content and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.toWellFormed().replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** Safe markup. It is created by the tag `html`, which escapes all values that are not `Html`. */
export class Html {
  readonly markup: string
  private constructor(markup: string) {
    this.markup = markup
  }

  /** Marks trusted markup as safe. */
  static of(markup: string): Html {
    return new Html(markup)
  }
}

/** A value in a template. Text is escaped. Undefined and false render nothing. */
export type Piece = Html | string | number | undefined | false | ReadonlyArray<Html>

const renderPiece = (piece: Piece): string => {
  if (piece === undefined || piece === false) return ""
  if (piece instanceof Html) return piece.markup
  return typeof piece === "object" ? piece.map(({ markup }) => markup).join("") : escapeHtml(String(piece))
}

/** A template tag for markup. Values are allowed in element content and in quoted attributes. */
export const html = (strings: TemplateStringsArray, ...pieces: ReadonlyArray<Piece>): Html =>
  Html.of(strings.reduce((before, part, index) => before + renderPiece(pieces[index - 1]) + part))
