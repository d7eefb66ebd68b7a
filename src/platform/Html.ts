const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Text as it stands in markup: in the content of an element, or in a quoted attribute. */
export const escaped = (text: string): string =>
  text.toWellFormed().replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** Markup that is safe to be sent: made by `html`, which escapes whatever else it is given. */
export class Html {
  readonly markup: string
  private constructor(markup: string) {
    this.markup = markup
  }

  /** What is markup already, of our own writing. */
  static of(markup: string): Html {
    return new Html(markup)
  }
}

/** What may stand in a template: text is escaped; undefined and false are nothing. */
export type Piece = Html | string | number | undefined | false | ReadonlyArray<Html>

const written = (piece: Piece): string => {
  if (piece === undefined || piece === false) return ""
  if (piece instanceof Html) return piece.markup
  return typeof piece === "object" ? piece.map(({ markup }) => markup).join("") : escaped(String(piece))
}

/** Markup with pieces in it, as text or in quoted attributes. */
export const html = (strings: TemplateStringsArray, ...pieces: ReadonlyArray<Piece>): Html =>
  Html.of(strings.reduce((before, part, index) => before + written(pieces[index - 1]) + part))
