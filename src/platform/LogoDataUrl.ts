import { type Logo, logoTypeOf } from "#domain/Appearance"

/** A logo as a data URL, for documents that can't load it. */
export const logoDataUrl = ({ file, bytes }: Logo): string =>
  `data:${logoTypeOf(file)};base64,${Buffer.from(bytes).toString("base64")}`
