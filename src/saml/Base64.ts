const BLANK = /[\t\n\r ]+/g

/** Decodes base64, with white space between its characters. Returns undefined for anything else, including missing padding. */
export const decodeBase64 = (text: string): Buffer<ArrayBuffer> | undefined => {
  const compact = text.replaceAll(BLANK, "")
  const bytes = Buffer.from(compact, "base64")
  return compact !== "" && bytes.toString("base64") === compact ? bytes : undefined
}
