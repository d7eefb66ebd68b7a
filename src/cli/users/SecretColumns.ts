/** Words that name what nobody should read. */
const secretWords: ReadonlySet<string> = new Set(
  "pw pwd pass passwd password passwords passwort passphrase kennwort contrasena clave secret pin".split(" ")
)

/** Whether a column is called as if it had passwords: as an attribute, they would stand there for all to read. */
export const looksSecret = (column: string): boolean =>
  column
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => secretWords.has(word))
