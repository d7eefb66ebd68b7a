import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { Api } from "../Api.ts"
import { apiKeysV1, apiKeysV2 } from "../access/Docs.ts"
import { connectedAppsV1, connectedAppsV2 } from "../apps/Docs.ts"
import { clockV2 } from "../clock/Docs.ts"
import { ClockV2 } from "../clock/V2.ts"
import { consentsV1, consentsV2 } from "../consents/Docs.ts"
import { credentialsV1, credentialsV2 } from "../credentials/Docs.ts"
import { dnsV2 } from "../dns/Docs.ts"
import { DnsV2 } from "../dns/V2.ts"
import { domainsV2 } from "../domains/Docs.ts"
import { eventsV1, eventsV2 } from "../events/Docs.ts"
import { exportsV2 } from "../exports/Docs.ts"
import { externalAuthenticationV1, externalAuthenticationV2 } from "../external/Docs.ts"
import { faultsV2 } from "../faults/Docs.ts"
import { FaultsV2 } from "../faults/V2.ts"
import type { GroupDocs } from "../GroupDocs.ts"
import { grantsV1, grantsV2 } from "../grants/Docs.ts"
import { hooksV1, hooksV2 } from "../hooks/Docs.ts"
import { importsV2 } from "../imports/Docs.ts"
import { invitationsV2 } from "../invitations/Docs.ts"
import { jwtKeysV1, jwtKeysV2 } from "../keys/Docs.ts"
import { loginsV1, loginsV2 } from "../login/Docs.ts"
import { messagesV2 } from "../mailbox/Docs.ts"
import { MessagesV2 } from "../mailbox/V2.ts"
import { membershipsV1, membershipsV2 } from "../memberships/Docs.ts"
import { notificationsV2 } from "../notifications/Docs.ts"
import { consoleV2, operatorsV2 } from "../operators/Docs.ts"
import { orgsV1, orgsV2 } from "../orgs/Docs.ts"
import { authProvidersV1, authProvidersV2 } from "../providers/Docs.ts"
import { realmsV1, realmsV2 } from "../realms/Docs.ts"
import { sessionsV1, sessionsV2 } from "../sessions/Docs.ts"
import { userTokensV1 } from "../signup/Docs.ts"
import { usersV1, usersV2 } from "../users/Docs.ts"

/** All endpoints in the reference: the management API, and the endpoints that exist only in some deployments. */
export const DocumentedApi = Api.add(ClockV2, DnsV2, FaultsV2, MessagesV2)

type Groups = typeof DocumentedApi extends HttpApi.HttpApi<string, infer Group> ? HttpApiGroup.Identifier<Group> : never

/** The docs of each group of the API. A group without docs is a compile error. */
export const groups: { readonly [Group in Groups]: GroupDocs<Group> } = {
  "v2.realms": realmsV2,
  "v2.users": usersV2,
  "v2.logins": loginsV2,
  "v2.orgs": orgsV2,
  "v2.memberships": membershipsV2,
  "v2.domains": domainsV2,
  "v2.invitations": invitationsV2,
  "v2.sessions": sessionsV2,
  "v2.credentials": credentialsV2,
  "v2.auth_providers": authProvidersV2,
  "v2.external_authentication": externalAuthenticationV2,
  "v2.jwt_keys": jwtKeysV2,
  "v2.hooks": hooksV2,
  "v2.client_apps": connectedAppsV2,
  "v2.grants": grantsV2,
  "v2.consents": consentsV2,
  "v2.api_keys": apiKeysV2,
  "v2.operators": operatorsV2,
  "v2.console": consoleV2,
  "v2.events": eventsV2,
  "v2.notifications": notificationsV2,
  "v2.imports": importsV2,
  "v2.exports": exportsV2,
  "v2.test": clockV2,
  "v2.test_dns": dnsV2,
  "v2.test_faults": faultsV2,
  "v2.test_messages": messagesV2,
  "v1.realms": realmsV1,
  "v1.users": usersV1,
  "v1.logins": loginsV1,
  "v1.user_tokens": userTokensV1,
  "v1.orgs": orgsV1,
  "v1.memberships": membershipsV1,
  "v1.sessions": sessionsV1,
  "v1.credentials": credentialsV1,
  "v1.auth_providers": authProvidersV1,
  "v1.external_authentication": externalAuthenticationV1,
  "v1.jwt_keys": jwtKeysV1,
  "v1.hooks": hooksV1,
  "v1.login_policies": connectedAppsV1,
  "v1.grants": grantsV1,
  "v1.consents": consentsV1,
  "v1.api_keys": apiKeysV1,
  "v1.events": eventsV1
}
