/** Why a drawing is rejected. */
export type DrawingRejection = "logo_broken" | "logo_unsafe" | "logo_complex"

/** The outcome of cleaning. `TooComplex` means that cleaning takes too long, or that a drawing has too many elements. */
export type Cleaned =
  | { readonly _tag: "Cleaned"; readonly text: string }
  | { readonly _tag: "Refused"; readonly why: DrawingRejection }
  | { readonly _tag: "TooComplex" }
