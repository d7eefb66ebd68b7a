/** Why a drawing is refused. */
export type DrawingRefusal = "logo_broken" | "logo_unsafe" | "logo_complex"

/** The outcome of cleaning. `TooComplex`: it takes too long, or draws too much. */
export type Cleaned =
  | { readonly _tag: "Cleaned"; readonly text: string }
  | { readonly _tag: "Refused"; readonly why: DrawingRefusal }
  | { readonly _tag: "TooComplex" }
