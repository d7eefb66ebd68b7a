/** Saves texts as a file on the reader's machine. */
export const download = (name: string, type: string, parts: ReadonlyArray<string>): void => {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
