import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useNeededText } from "../session/NeededText.ts"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Code } from "../ui/Copy.tsx"
import { Loading } from "../ui/Loading.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { CustomSection } from "./CustomSection.tsx"
import { DangerZone } from "./DangerZone.tsx"
import { LinksSection } from "./LinksSection.tsx"
import { Part, Parts } from "./Parts.tsx"
import { RolesSection } from "./RolesSection.tsx"
import {
  ChoiceSetting,
  LinesSetting,
  NumberSetting,
  SettingsSection,
  SignupFieldsSetting,
  SwitchSetting,
  TextSetting,
  TokenContentSetting
} from "./Settings.tsx"
import { realmTexts } from "./Texts.ts"

/** All settings of a realm, with help texts. */
export const SettingsPage = () => {
  const t = useTexts(realmTexts)
  const realmId = useRealmId()
  const { may } = useSession()
  const needed = useNeededText()
  const { data: realm, error, refetch } = useRead(["realms", realmId], (sdk) => sdk.realms.get(realmId))
  const s = t.sections
  if (realm === undefined)
    return error === null ? <Loading /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  return (
    <>
      <PageHeader title={t.settings} lead={t.settingsLead} beside={<Code text={realm.id} label="ID" />} />
      {may("admin_realm") ? null : <p className="note">{needed("admin_realm")}</p>}
      <Parts
        parts={[
          { id: "basics", text: t.basics },
          { id: "people", text: s.people },
          { id: "login", text: s.login },
          { id: "tokens", text: s.tokens },
          { id: "apiKeys", text: s.apiKeys },
          { id: "languages", text: s.languages },
          { id: "oauth", text: s.oauth },
          { id: "events", text: s.events },
          { id: "roles", text: s.roles },
          { id: "links", text: s.links },
          { id: "custom", text: s.custom },
          { id: "danger", text: t.danger }
        ]}
      >
        <SettingsSection name="basics" title={t.basics} realm={realm}>
          <TextSetting name="name" />
          <div className="form-row">
            <ChoiceSetting name="state" values={["active", "inactive"]} />
            <ChoiceSetting name="environment" values={["live", "test"]} />
          </div>
          <TextSetting name="reference" isCode />
        </SettingsSection>
        <SettingsSection name="people" title={s.people} lead={s.peopleLead} realm={realm}>
          <ChoiceSetting name="signup" values={["open", "invitation", "closed"]} />
          <SignupFieldsSetting />
          <ChoiceSetting name="email_verification" values={["none", "request", "preverify"]} />
          <ChoiceSetting name="username_validation_human" values={["standard", "email"]} />
          <SwitchSetting name="require_unique_emails" />
          <ChoiceSetting name="org_mode" values={["multi_user", "single_user"]} />
          <NumberSetting name="account_deletion_days" />
        </SettingsSection>
        <SettingsSection name="login" title={s.login} lead={s.loginLead} realm={realm}>
          <ChoiceSetting name="mfa" values={["optional", "required", "off"]} />
          <NumberSetting name="trusted_devices_days" />
          <div className="form-row">
            <ChoiceSetting name="session_type" values={["managed", "unmanaged"]} />
            <NumberSetting name="session_minutes" />
          </div>
          <ChoiceSetting name="session_tokens" values={["all", "write"]} />
          <TextSetting name="passkey_rp_id" isCode />
          <SwitchSetting name="record_unknown_names" />
        </SettingsSection>
        <SettingsSection name="tokens" title={s.tokens} lead={s.tokensLead} realm={realm}>
          <div className="form-row">
            <ChoiceSetting name="jwt_algo" values={["rs256", "hs256"]} />
            <ChoiceSetting name="jwt_claims" values={["v2", "both"]} />
          </div>
          <TokenContentSetting />
        </SettingsSection>
        <SettingsSection name="apiKeys" title={s.apiKeys} lead={s.apiKeysLead} realm={realm}>
          <div className="form-row">
            <TextSetting name="api_key_prefix" isCode />
            <ChoiceSetting name="api_key_policy" values={["hash", "encrypt"]} />
          </div>
          <NumberSetting name="jwt_max_bytes" />
          <NumberSetting name="api_key_minutes" />
        </SettingsSection>
        <SettingsSection name="languages" title={s.languages} realm={realm}>
          <TextSetting name="default_locale" isCode />
          <LinesSetting name="available_locales" />
        </SettingsSection>
        <SettingsSection name="oauth" title={s.oauth} lead={s.oauthLead} realm={realm}>
          <LinesSetting name="oauth_scopes" />
          <ChoiceSetting name="client_registration" values={["off", "token", "open"]} />
          <LinesSetting name="registration_scopes" />
          <LinesSetting name="registration_resources" />
        </SettingsSection>
        <SettingsSection name="events" title={s.events} realm={realm}>
          <NumberSetting name="event_retention_days" />
        </SettingsSection>
        <Part id="roles" found={`${s.roles} ${s.rolesLead}`}>
          <RolesSection realm={realm} />
        </Part>
        <Part id="links" found={`${s.links} ${s.linksLead}`}>
          <LinksSection realm={realm} />
        </Part>
        <Part id="custom" found={s.custom}>
          <CustomSection realm={realm} />
        </Part>
        <Part id="danger" found={`${t.danger} ${t.reset} ${t.delete}`}>
          <DangerZone realm={realm} />
        </Part>
      </Parts>
    </>
  )
}
