import type { CallerIdentity } from "#domain/Caller"

/** The log annotation that names the caller. */
export const callerAnnotation = ({ type, id }: CallerIdentity): Readonly<Record<string, string>> => ({
  [type === "api_key" ? "api_key_id" : "operator_id"]: id
})
