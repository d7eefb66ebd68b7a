/** Markup that is safe to be sent: made by `html`, which escapes whatever else it is given. */
export class Html {
  readonly text: string
  private constructor(text: string) {
    this.text = text
  }

  static of(text: string): Html {
    return new Html(text)
  }
}

/** What may stand in a template: text is escaped, nothing is left out. */
export type Piece = Html | string | number | undefined | ReadonlyArray<Html>

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;"
}

const escaped = (text: string): string => text.replaceAll(/[&<>"'`]/g, (character) => entities[character] ?? "")

const written = (piece: Piece): string => {
  if (piece === undefined) return ""
  if (piece instanceof Html) return piece.text
  if (typeof piece === "object") return piece.map(({ text }) => text).join("")
  return escaped(String(piece))
}

/** Markup with pieces in it, as text or in quoted attributes. */
export const html = (strings: TemplateStringsArray, ...pieces: ReadonlyArray<Piece>): Html =>
  Html.of(strings.map((text, index) => (index === 0 ? "" : written(pieces[index - 1])) + text).join(""))

/** A name that somebody chose, set off from our own words and from the direction they are written in. */
export const name = (text: string): Html => html`<bdi class="name">${text}</bdi>`
