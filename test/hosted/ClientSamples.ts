import { DateTime } from "effect"
import { defaultAppearance } from "#domain/Appearance"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import { AppId } from "#domain/Ids"
import type { AuthorizationRequest } from "#domain/oauth/AuthorizationRequest"
import type { View } from "#hosted/markup/Document"
import type { FieldError } from "#hosted/markup/Fields"
import { formPostView } from "#hosted/markup/FormPost"
import type { AppPageContext } from "#hosted/PageContext"
import { accountChoiceView, consentView } from "#hosted/pages/authorize/AuthorizeViews"
import { codeEntryView, codeLinkView, codeRequestView } from "#hosted/pages/code/CodeView"
import { codeView, deviceConsentView } from "#hosted/pages/device/DeviceViews"
import { newRecoveryCodesView } from "#hosted/pages/security/RecoveryCodesView"
import { userOf } from "./PageSamples.ts"

const at = DateTime.makeUnsafe("2026-11-21T12:00:00Z")

/** The pages on the way to an OAuth client, by name, with `said` in every text. */
export const clientPages = (
  visit: AppPageContext,
  said: string,
  errors: ReadonlyArray<FieldError> = []
): Readonly<Record<string, View>> => {
  const user = userOf(said)
  const client: OAuthClient = {
    id: AppId.make("lpl_2"),
    realmId: visit.realm.id,
    state: "active",
    name: said,
    redirectUris: ["https://client.example.test/back"],
    appearance: { ...defaultAppearance, name: said },
    clientType: "web",
    createdAt: at,
    registration: null,
    postLogoutRedirectUris: [],
    backchannelLogoutUri: null,
    clientUri: null,
    initiateLoginUri: null,
    grantTypes: ["authorization_code"],
    tokenEndpointAuthMethod: "client_secret_basic",
    jwks: null,
    jwksUri: null,
    allowedScopes: [said],
    resources: [said],
    consent: "ask",
    idTokenClaims: "scopes",
    requirePkce: true,
    requirePar: false,
    requireDpop: false,
    accessTokenMinutes: 10,
    refreshTokenDays: 30,
    loginAppId: null
  }
  const request: AuthorizationRequest = {
    client,
    redirectUri: "https://client.example.test/back",
    responseMode: "query",
    state: said,
    scopes: [said],
    resources: [said],
    nonce: said,
    codeChallenge: null,
    prompts: ["consent"],
    maxAge: null,
    acr: null,
    loginHint: said,
    idTokenHint: null,
    subject: null,
    uiLocales: said,
    claims: null,
    orgId: null,
    jkt: null
  }
  const flow = { request: "ar_1", state: said }
  const waiting = {
    client,
    device: {
      id: "digest",
      realmId: visit.realm.id,
      clientId: client.id,
      appId: visit.app.id,
      userCode: "BCDFGHJK",
      scopes: [said],
      resources: [said],
      requestIp: said,
      requestClient: said,
      state: "pending",
      userId: null,
      authentication: null,
      pollSeconds: 5,
      polledAt: null,
      createdAt: at,
      expiresAt: at
    }
  } as const
  return {
    accountChoice: accountChoiceView(visit, { flow, request, user }),
    consent: consentView(visit, { flow, request, user }),
    deviceCode: codeView(visit, said, errors),
    deviceConsent: deviceConsentView(visit, waiting, user),
    codeRequest: codeRequestView(visit, { flow, name: said }, errors),
    codeEntry: codeEntryView(visit, { flow, name: said, login: said }, errors),
    codeLink: codeLinkView(visit, said, { user, email: said, completes: true }),
    recoveryCodes: newRecoveryCodesView(visit, [said]),
    formPost: formPostView(visit, "https://client.example.test/back", { state: said, code: said })
  }
}
