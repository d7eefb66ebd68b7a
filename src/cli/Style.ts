/** The text styles of a terminal. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly yellow: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
}

const code = (start: number, end: number) => (text: string) => `\u001b[${start}m${text}\u001b[${end}m`

const plain = (text: string) => text

/** Returns colored styles if a terminal shows them, and plain text otherwise. */
export const styleOf = (isTerminal: boolean, noColor: boolean): Style =>
  isTerminal && !noColor
    ? { bold: code(1, 22), dim: code(2, 22), red: code(31, 39), yellow: code(33, 39), green: code(32, 39) }
    : { bold: plain, dim: plain, red: plain, yellow: plain, green: plain }
