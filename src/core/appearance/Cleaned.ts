/** Why a drawing is rejected. */
export type DrawingRejection = "logo_broken" | "logo_unsafe" | "logo_complex"

/** The outcome of cleaning. `TooComplex`: the content takes too long to clean, or draws too many elements. */
export type Cleaned =
  | { readonly _tag: "Cleaned"; readonly text: string }
  | { readonly _tag: "Refused"; readonly why: DrawingRejection }
  | { readonly _tag: "TooComplex" }
