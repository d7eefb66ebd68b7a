import { type Problem, problem } from "../Rejected.ts"
import { resourceUriProblem } from "../WebUrl.ts"
import type { OAuthClient } from "./OAuthClient.ts"
import { MAX_RESOURCES, uriProblems } from "./OAuthClientInput.ts"
import { standardScopes } from "./OAuthScope.ts"

/** The settings of a realm that say what clients may ask for that registered themselves. */
interface ReachSettings {
  readonly registrationScopes: ReadonlyArray<string>
  readonly registrationResources: ReadonlyArray<string>
}

const union = (some: ReadonlyArray<string>, others: ReadonlyArray<string>) => [...new Set([...some, ...others])]

/**
 * A client with all that it may ask for: if it registered itself, also what its realm lets all such clients, so that they can use a
 * resource server that is added later (C196).
 */
export const withRegistrationDefaults = (client: OAuthClient, realm: ReachSettings): OAuthClient => {
  // What is among the resources of a machine it may introspect (C173): management alone gives it that.
  if (client.registration === null || client.clientType === "machine") return client
  const scopes = [...standardScopes, ...realm.registrationScopes]
  return {
    ...client,
    allowedScopes: union(client.allowedScopes, scopes),
    resources: union(client.resources, realm.registrationResources)
  }
}

/** Validates these settings. `oauthScopes`: the scopes of the realm. */
export const reachProblems = ({
  oauthScopes,
  registrationScopes,
  registrationResources
}: ReachSettings & { readonly oauthScopes: ReadonlyArray<string> }): ReadonlyArray<Problem> => {
  const unknown = registrationScopes.find((scope) => !oauthScopes.includes(scope))
  return [
    ...(unknown === undefined ? [] : [problem("registration_scopes", "scope_unknown", { scope: unknown })]),
    ...uriProblems("registration_resources", registrationResources, MAX_RESOURCES, resourceUriProblem)
  ]
}
