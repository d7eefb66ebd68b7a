import type { Redacted } from "effect"

/** The location of a root key that this start has generated: the banner or a file. */
export type GeneratedRootKey =
  | { readonly _tag: "Shown"; readonly key: Redacted.Redacted }
  | { readonly _tag: "Stored"; readonly file: string }

/** A shell expression for the content of a file. */
export const contentInShell = (file: string): string => `$(cat '${file.replaceAll("'", "'\\''")}')`
