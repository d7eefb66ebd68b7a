import { type Problem, problem } from "../Rejected.ts"
import { resourceUriProblem } from "../WebUrl.ts"
import type { OAuthClient } from "./OAuthClient.ts"
import { MAX_RESOURCES, uriProblems } from "./OAuthClientInput.ts"
import { standardScopes } from "./OAuthScope.ts"

/** The realm settings that define what self-registered clients may request. */
interface RegistrationSettings {
  readonly registrationScopes: ReadonlyArray<string>
  readonly registrationResources: ReadonlyArray<string>
}

const union = (some: ReadonlyArray<string>, others: ReadonlyArray<string>) => [...new Set([...some, ...others])]

/**
 * A client with everything that it may request. For a self-registered client, this includes what the realm allows to all of
 * them, so that they can use a resource server that is added later (C196).
 */
export const withRegistrationDefaults = (client: OAuthClient, realm: RegistrationSettings): OAuthClient => {
  // A machine client may introspect tokens for its resources (C173), so only management assigns them.
  if (client.registration === null || client.clientType === "machine") return client
  const scopes = [...standardScopes, ...realm.registrationScopes]
  return {
    ...client,
    allowedScopes: union(client.allowedScopes, scopes),
    resources: union(client.resources, realm.registrationResources)
  }
}

/** Validates these settings. `oauthScopes`: the scopes of the realm. */
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
