/** Words in the names of columns with secrets. */
const secretWords: ReadonlySet<string> = new Set(
  "pw pwd pass passwd password passwords passwort passphrase kennwort contrasena clave secret pin".split(" ")
)

/** Whether a column name suggests passwords. Everyone could read them if they became custom attributes. */
export const looksSecret = (column: string): boolean =>
  column
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => secretWords.has(word))
