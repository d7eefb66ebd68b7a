import type { Redacted } from "effect"

/** Where a root key can be found that this start has generated: in the banner, or in a file. */
export type GeneratedRootKey =
  | { readonly _tag: "Shown"; readonly key: Redacted.Redacted }
  | { readonly _tag: "Stored"; readonly file: string }

/** The content of a file, as a shell writes it. */
export const contentInShell = (file: string): string => `$(cat '${file.replaceAll("'", "'\\''")}')`
