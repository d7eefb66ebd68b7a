import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Lines, Select, Switch, TextField } from "../ui/Fields.tsx"
import { Section } from "../ui/Section.tsx"
import type { AppValues } from "./AppValues.ts"
import { appTexts } from "./Texts.ts"

interface SettingsProps {
  readonly values: AppValues
  readonly set: (values: Partial<AppValues>) => void
}

export const GeneralFields = ({ values, set, saved }: SettingsProps & { readonly saved: string }) => {
  const t = useTexts(appTexts)
  const { session } = useSession()
  const url = `${session.service.login_url.replace("{subdomain}", values.subdomain.trim().toLowerCase())}/login`
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
        <TextField
          name="subdomain"
          label={t.subdomain}
          help={values.subdomain === saved ? t.subdomainHelp(url) : `${t.subdomainHelp(url)}. ${t.subdomainChange}`}
          isCode
          value={values.subdomain}
          onChange={(subdomain) => set({ subdomain })}
        />
        <Select
          name="state"
          label={t.state}
          help={t.stateHelp}
          options={(["active", "inactive"] as const).map((value) => ({ value, text: t[value] }))}
          value={values.state}
          onChange={(state) => set({ state })}
        />
      </div>
    </Section>
  )
}

export const ReturnFields = ({ values, set }: SettingsProps) => {
  const t = useTexts(appTexts)
  return (
    <Section title={t.returns} lead={t.returnsLead}>
      <div className="stack">
        <TextField
          name="login_handler"
          type="url"
          label={t.loginHandler}
          help={t.loginHandlerHelp}
          isOptional
          value={values.login_handler}
          onChange={(login_handler) => set({ login_handler })}
        />
        <TextField
          name="signup_handler"
          type="url"
          label={t.signupHandler}
          help={t.signupHandlerHelp}
          isOptional
          value={values.signup_handler}
          onChange={(signup_handler) => set({ signup_handler })}
        />
        <Lines
          name="redirect_uris"
          label={t.redirectUris}
          help={t.redirectUrisHelp}
          isOptional
          value={values.redirect_uris}
          onChange={(redirect_uris) => set({ redirect_uris })}
        />
        <Lines
          name="logout_uris"
          label={t.logoutUris}
          help={t.logoutUrisHelp}
          isOptional
          value={values.logout_uris}
          onChange={(logout_uris) => set({ logout_uris })}
        />
      </div>
    </Section>
  )
}

export const SignupFields = ({ values, set }: SettingsProps) => {
  const t = useTexts(appTexts)
  return (
    <Section title={t.signup}>
      <div className="stack">
        <Select
          name="signup_mode"
          label={t.signupMode}
          help={t.signupModeHelp}
          options={(["user", "user_org", "user_token", "none"] as const).map((value) => ({
            value,
            text: t.signupModes[value]
          }))}
          value={values.signup_mode}
          onChange={(signup_mode) => set({ signup_mode })}
        />
        <Switch
          name="require_names"
          label={t.requireNames}
          value={values.require_names}
          onChange={(require_names) => set({ require_names })}
        />
        {values.signup_mode === "user_org" ? (
          <Switch
            name="require_org_name"
            label={t.requireOrgName}
            value={values.require_org_name}
            onChange={(require_org_name) => set({ require_org_name })}
          />
        ) : null}
        <Switch
          name="require_password_confirmation"
          label={t.requireConfirmation}
          help={t.requireConfirmationHelp}
          value={values.require_password_confirmation}
          onChange={(require_password_confirmation) => set({ require_password_confirmation })}
        />
      </div>
    </Section>
  )
}

export const AdvancedFields = ({ values, set }: SettingsProps) => {
  const t = useTexts(appTexts)
  return (
    <>
      <Section title={t.invitations}>
        <div className="stack">
          <Switch
            name="allow_invitations"
            label={t.allowInvitations}
            help={t.allowInvitationsHelp}
            value={values.allow_invitations}
            onChange={(allow_invitations) => set({ allow_invitations })}
          />
          <Lines
            name="invitation_permissions"
            label={t.invitationPermissions}
            help={t.invitationPermissionsHelp}
            isOptional
            value={values.invitation_permissions}
            onChange={(invitation_permissions) => set({ invitation_permissions })}
          />
        </div>
      </Section>
      <Section title={t.advanced}>
        <div className="stack">
          <Switch
            name="auto_continue"
            label={t.autoContinue}
            help={t.autoContinueHelp}
            value={values.auto_continue}
            onChange={(auto_continue) => set({ auto_continue })}
          />
          <Switch
            name="allow_jsonp"
            label={t.allowJsonp}
            help={t.allowJsonpHelp}
            value={values.allow_jsonp}
            onChange={(allow_jsonp) => set({ allow_jsonp })}
          />
        </div>
      </Section>
    </>
  )
}
