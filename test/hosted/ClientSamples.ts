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

/** The pages on the way to an OAuth client, by name, with `sampleText` in every text. */
export const clientPages = (
  visit: AppPageContext,
  sampleText: string,
  errors: ReadonlyArray<FieldError> = []
): Readonly<Record<string, View>> => {
  const user = userOf(sampleText)
  const client: OAuthClient = {
    id: AppId.make("lpl_2"),
    realmId: visit.realm.id,
    state: "active",
    name: sampleText,
    redirectUris: ["https://client.example.test/back"],
    appearance: { ...defaultAppearance, name: sampleText },
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
    allowedScopes: [sampleText],
    resources: [sampleText],
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
    state: sampleText,
    scopes: [sampleText],
    resources: [sampleText],
    nonce: sampleText,
    codeChallenge: null,
    prompts: ["consent"],
    maxAge: null,
    acr: null,
    loginHint: sampleText,
    idTokenHint: null,
    subject: null,
    uiLocales: sampleText,
    claims: null,
    orgId: null,
    jkt: null
  }
  const flow = { request: "ar_1", state: sampleText }
  const waiting = {
    client,
    device: {
      id: "digest",
      realmId: visit.realm.id,
      clientId: client.id,
      appId: visit.app.id,
      userCode: "BCDFGHJK",
      scopes: [sampleText],
      resources: [sampleText],
      requestIp: sampleText,
      requestClient: sampleText,
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
    deviceCode: codeView(visit, sampleText, errors),
    deviceConsent: deviceConsentView(visit, waiting, user),
    codeRequest: codeRequestView(visit, { flow, name: sampleText }, errors),
    codeEntry: codeEntryView(visit, { flow, name: sampleText, login: sampleText }, errors),
    codeLink: codeLinkView(visit, sampleText, { user, email: sampleText, completes: true }),
    recoveryCodes: newRecoveryCodesView(visit, [sampleText]),
    formPost: formPostView(visit, "https://client.example.test/back", { state: sampleText, code: sampleText })
  }
}
