import { HttpError } from "./HttpError.ts"

/** The parameters of a list, sorted by email. Other sort orders and filters are not supported. */
export const pageOf = (parameters: URLSearchParams): { readonly most: number; readonly after: string | null } => {
  for (const name of parameters.keys()) {
    if (name !== "after" && name !== "max_results") throw new HttpError(422, name, "unknown", `${name} is not known.`)
  }
  const most = Number(parameters.get("max_results") ?? 100)
  if (!Number.isInteger(most) || most < 1 || most > 1_000) {
    throw new HttpError(422, "max_results", "range", "max_results must be from 1 to 1000.")
  }
  return { most, after: parameters.get("after") }
}
