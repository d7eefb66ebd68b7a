import { useApps } from "../apps/Apps.ts"
import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Checks, Lines, Select, Switch, TextArea, TextField } from "../ui/Fields.tsx"
import { Section } from "../ui/Section.tsx"
import { kindRules, standardScopes } from "./ClientKinds.ts"
import type { SettingsProps } from "./ClientValues.ts"
import { clientTexts } from "./Texts.ts"

export const GeneralFields = ({ kind, values, set }: SettingsProps) => {
  const t = useTexts(clientTexts)
  return (
    <Section title={t.general}>
      <div className="stack">
        <TextField
          name="name"
          label={t.name}
          help={t.nameHelp}
          value={values.name}
          onChange={(name) => set({ name })}
        />
        <Select
          name="state"
          label={t.state}
          help={t.stateHelp}
          options={(["active", "inactive"] as const).map((value) => ({ value, text: t[value] }))}
          value={values.state}
          onChange={(state) => set({ state })}
        />
        {kindRules[kind].hasRedirects ? (
          <>
            <Lines
              name="redirect_uris"
              label={t.redirectUris}
              help={kind === "native" ? t.redirectHelpNative : t.redirectHelp}
              value={values.redirect_uris}
              onChange={(redirect_uris) => set({ redirect_uris })}
            />
            <Lines
              name="post_logout_redirect_uris"
              label={t.logoutRedirects}
              help={t.logoutRedirectsHelp}
              isOptional
              value={values.post_logout_redirect_uris}
              onChange={(post_logout_redirect_uris) => set({ post_logout_redirect_uris })}
            />
            <TextField
              name="client_uri"
              type="url"
              label={t.clientUri}
              help={t.clientUriHelp}
              isOptional
              value={values.client_uri}
              onChange={(client_uri) => set({ client_uri })}
            />
            <TextField
              name="initiate_login_uri"
              type="url"
              label={t.initiateLogin}
              help={t.initiateLoginHelp}
              isOptional
              value={values.initiate_login_uri}
              onChange={(initiate_login_uri) => set({ initiate_login_uri })}
            />
            <TextField
              name="backchannel_logout_uri"
              type="url"
              label={t.backchannel}
              help={t.backchannelHelp}
              isOptional
              value={values.backchannel_logout_uri}
              onChange={(backchannel_logout_uri) => set({ backchannel_logout_uri })}
            />
          </>
        ) : null}
      </div>
    </Section>
  )
}

export const AccessFields = ({ kind, values, set }: SettingsProps) => {
  const t = useTexts(clientTexts)
  const realmId = useRealmId()
  const realm = useRead(["realms", realmId], async (sdk) => await sdk.realms.get(realmId))
  const apps = useApps("apps")
  const rules = kindRules[kind]
  const scopes = new Set([
    ...(rules.hasUsers ? standardScopes : []),
    ...(realm.data?.oauth_scopes ?? []),
    ...values.allowed_scopes
  ])
  return (
    <Section title={t.access}>
      <div className="stack">
        <Checks
          name="allowed_scopes"
          label={t.scopes}
          help={t.scopesHelp}
          options={[...scopes].map((value) => ({ value, text: value }))}
          value={values.allowed_scopes}
          onChange={(allowed_scopes) => set({ allowed_scopes })}
        />
        <Lines
          name="resources"
          label={t.resources}
          help={t.resourcesHelp}
          isOptional
          value={values.resources}
          onChange={(resources) => set({ resources })}
        />
        {rules.hasUsers ? (
          <>
            <Select
              name="consent"
              label={t.consent}
              help={t.consentHelp}
              options={(["skip", "ask"] as const).map((value) => ({ value, text: t.consents[value] }))}
              value={values.consent}
              onChange={(consent) => set({ consent })}
            />
            <Select
              name="id_token_claims"
              label={t.idTokenClaims}
              help={t.idTokenClaimsHelp}
              options={(["scopes", "minimal"] as const).map((value) => ({ value, text: t.idTokenClaimModes[value] }))}
              value={values.id_token_claims}
              onChange={(id_token_claims) => set({ id_token_claims })}
            />
            <Select
              name="login_app_id"
              label={t.loginApp}
              help={t.loginAppHelp}
              options={[
                { value: "", text: t.loginAppOldest },
                ...(apps.items ?? []).map(({ id, name }) => ({ value: id, text: name }))
              ]}
              value={values.login_app_id}
              onChange={(login_app_id) => set({ login_app_id })}
            />
          </>
        ) : null}
        {rules.grantTypes.length > 1 ? (
          <Checks
            name="grant_types"
            label={t.grantTypes}
            options={rules.grantTypes.map((value) => ({ value, text: t.grants[value] }))}
            value={values.grant_types}
            onChange={(grant_types) => set({ grant_types })}
          />
        ) : null}
      </div>
    </Section>
  )
}

export const TokenFields = ({ kind, values, set }: SettingsProps) => {
  const t = useTexts(clientTexts)
  return (
    <Section title={t.tokens}>
      <div className="form-row">
        <TextField
          name="access_token_minutes"
          type="number"
          label={t.accessMinutes}
          help={t.accessHelp}
          value={values.access_token_minutes}
          onChange={(access_token_minutes) => set({ access_token_minutes })}
        />
        {kindRules[kind].hasUsers ? (
          <TextField
            name="refresh_token_days"
            type="number"
            label={t.refreshDays}
            help={t.refreshHelp}
            value={values.refresh_token_days}
            onChange={(refresh_token_days) => set({ refresh_token_days })}
          />
        ) : null}
      </div>
    </Section>
  )
}

export const SecurityFields = ({ kind, values, set }: SettingsProps) => {
  const t = useTexts(clientTexts)
  const { authMethods, hasRedirects } = kindRules[kind]
  return (
    <Section title={t.security}>
      <div className="stack">
        {authMethods.length > 1 ? (
          <Select
            name="token_endpoint_auth_method"
            label={t.authMethod}
            options={authMethods.map((value) => ({ value, text: t.authMethods[value] }))}
            value={values.token_endpoint_auth_method}
            onChange={(token_endpoint_auth_method) => set({ token_endpoint_auth_method })}
          />
        ) : null}
        {values.token_endpoint_auth_method === "private_key_jwt" ? (
          <TextArea
            name="jwks"
            label={t.jwks}
            help={t.jwksHelp}
            isCode
            rows={8}
            value={values.jwks}
            onChange={(jwks) => set({ jwks })}
          />
        ) : null}
        {hasRedirects ? (
          <>
            {authMethods.includes("none") ? null : (
              <Switch
                name="require_pkce"
                label={t.pkce}
                help={t.pkceHelp}
                value={values.require_pkce}
                onChange={(require_pkce) => set({ require_pkce })}
              />
            )}
            <Switch
              name="require_par"
              label={t.par}
              help={t.parHelp}
              value={values.require_par}
              onChange={(require_par) => set({ require_par })}
            />
          </>
        ) : null}
        <Switch
          name="require_dpop"
          label={t.dpop}
          help={t.dpopHelp}
          value={values.require_dpop}
          onChange={(require_dpop) => set({ require_dpop })}
        />
      </div>
    </Section>
  )
}
