const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (text: string): string =>
  text.toWellFormed().replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** Markup, as against text. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

/** What may stand in markup: text is escaped; false is nothing. */
type Piece = Html | string | number | false | ReadonlyArray<Html>

const written = (piece: Piece): string => {
  if (piece === false) return ""
  if (piece instanceof Html) return piece.markup
  return typeof piece === "object" ? piece.map(({ markup }) => markup).join("") : escaped(String(piece))
}

/** Markup as it is written, with each value in it as what it is: text, for element contents and quoted attributes. */
export const html = (markup: TemplateStringsArray, ...pieces: ReadonlyArray<Piece>): Html =>
  new Html(markup.reduce((before, part, index) => before + written(pieces[index - 1] ?? false) + part))
