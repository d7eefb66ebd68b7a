/** Saves texts or blobs as a file on the user's computer. */
export const download = (name: string, type: string, parts: ReadonlyArray<string | Blob>): void => {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  // By then, the browser has started to read the URL.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
