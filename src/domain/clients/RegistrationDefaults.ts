import { type Problem, problem } from "../Rejected.ts"
import { resourceUriProblem } from "../WebUrl.ts"
import type { OAuthClient } from "./OAuthClient.ts"
import { MAX_RESOURCES, uriProblems } from "./OAuthClientInput.ts"
import { standardScopes } from "./OAuthScope.ts"

/** The realm settings for what self-registered clients may request. */
interface RegistrationSettings {
  readonly registrationScopes: ReadonlyArray<string>
  readonly registrationResources: ReadonlyArray<string>
}

const union = (some: ReadonlyArray<string>, others: ReadonlyArray<string>) => [...new Set([...some, ...others])]

/**
 * Adds everything that a client may request by default. Self-registered clients may use the scopes and resource servers
 * that the realm allows to all of them, including those added later (C196).
 */
export const withRegistrationDefaults = (client: OAuthClient, realm: RegistrationSettings): OAuthClient => {
  // Machine clients may introspect tokens for their resources (C173), so only the management API assigns resources to them.
  if (client.registration === null || client.clientType === "machine") return client
  const scopes = [...standardScopes, ...realm.registrationScopes]
  return {
    ...client,
    allowedScopes: union(client.allowedScopes, scopes),
    resources: union(client.resources, realm.registrationResources)
  }
}

/** Validates the settings for self-registered clients. `oauthScopes` are the realm's scopes. */
export const registrationProblems = ({
  oauthScopes,
  registrationScopes,
  registrationResources
}: RegistrationSettings & { readonly oauthScopes: ReadonlyArray<string> }): ReadonlyArray<Problem> => {
  const unknown = registrationScopes.find((scope) => !oauthScopes.includes(scope))
  return [
    ...(unknown === undefined ? [] : [problem("registration_scopes", "scope_unknown", { scope: unknown })]),
    ...uriProblems("registration_resources", registrationResources, MAX_RESOURCES, resourceUriProblem)
  ]
}
