import type { Redacted } from "effect"

/** The location of a root key that this start has generated: shown in the banner, or stored in a file. */
export type GeneratedRootKey =
  | { readonly _tag: "Shown"; readonly key: Redacted.Redacted }
  | { readonly _tag: "Stored"; readonly file: string }

/** Returns a shell expression that expands to the content of a file. */
export const contentInShell = (file: string): string => `$(cat '${file.replaceAll("'", "'\\''")}')`
