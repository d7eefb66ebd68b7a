import { type Html, html } from "#platform/Html"

/** The English texts of the authorization pages. */
export const authorize = {
  chooseTitle: "Choose an account",
  chooseLead: (client: Html): Html => html`You're logging in to ${client}.`,
  current: "Logged in",
  other: "Use another account",
  consentTitle: "Allow access to your account?",
  consentLead: (client: Html, realm: Html): Html => html`${client} wants to use your ${realm} account.`,
  scopesLead: "If you allow this, the app can:",
  scopes: {
    openid: "Know which account is yours",
    profile: "See your name and username",
    email: "See your email address",
    offline_access: "Keep this access while you're away",
    orgs: "See your organizations and your permissions in them"
  },
  ownScope: (scope: Html): Html => html`Use the permission ${scope}`,
  resource: (resource: Html): Html => html`Use ${resource} as you`,
  account: (account: Html): Html => html`Your account: ${account}`,
  registeredItself: "This app registered itself, and nobody has verified its name.",
  comesFrom: (host: Html): Html => html`This app comes from ${host}, and nobody has verified its name.`,
  toUnverifiedSite: (host: Html): Html =>
    html`You'll continue to ${host}, which will get this access. Only allow this if you trust it.`,
  toSite: (host: Html): Html => html`You'll continue to ${host}.`,
  toDevice: (program: Html): Html =>
    html`You'll continue to an app on this device (${program}). Only allow this if you've just started to log in there.`,
  allow: "Allow",
  deny: "Don't allow",
  toLogin: (client: Html): Html => html`Log in to continue to ${client}.`,
  toSignup: (client: Html): Html => html`Sign up to continue to ${client}.`,
  /** About the link in an email. */
  sameBrowser: (client: Html): Html => html`Open the link in this browser to get back to ${client}.`,
  elsewhere: "If you started in another browser, go back there to continue.",
  codeElsewhere: "Started in another browser? Go back there and enter the code from the email.",
  sendTitle: "Logging you in",
  sendLead: "You're being sent back to the app.",
  sendButton: "Continue"
}
