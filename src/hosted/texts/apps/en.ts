import { type Html, html } from "#platform/Html"
import { security } from "../security/en.ts"
import { team } from "../team/en.ts"

type Unit = readonly [one: string, several: string]

const counted = (count: number, [one, several]: Unit): string => `${count} ${count === 1 ? one : several}`

/** Formats a duration: in seconds if it is under two minutes, otherwise in minutes, rounded up. */
export const formatDuration = (seconds: number, second: Unit, minute: Unit): string =>
  seconds < 120 ? counted(seconds, second) : counted(Math.ceil(seconds / 60), minute)

/** The English texts of an app's login, sign-up, social and "check your email" pages. Names are passed as markup. */
export const apps = {
  login: {
    title: "Log in",
    button: "Log in",
    forgot: "Forgot your password?",
    or: "or",
    provider: (name: string): string => `Continue with ${name}`,
    otherProvider: "Continue with another service",
    closed: "Login isn't available right now. Contact support for help.",
    toSignup: "Don't have an account?",
    toSignupLink: "Sign up",
    toRequestLink: "Request access",
    back: "Back to login",
    codeButton: "Log in",
    startAgain: "Start over",
    again: "You're logged in",
    againLead: (user: Html, realm: Html): Html => html`You're logged in to ${realm} as ${user}.`,
    continueButton: "Continue",
    other: "Use another account",
    proofNeeded: "To make this change, log in again: your last login was more than 10 minutes ago.",
    proofDue: "To continue, log in again.",
    ended: "Your session has ended. Log in again.",
    endedUnsaved: "Your session has ended. Log in again; your changes were not saved.",
    /** Texts by the page that requires the login. */
    toSee: {
      profile: "Log in to see your profile.",
      security: "Log in to see your security settings.",
      accounts: "Log in to choose an organization.",
      invitation: "Log in to invite someone.",
      passkey: "Log in to add a passkey.",
      team: "Log in to see your team."
    }
  },
  emailCode: {
    choose: "Email me a code",
    title: "Log in with a code",
    lead: "We'll send a 6-digit code to your email address. It works for 10 minutes.",
    button: "Email me a code",
    sent: (to: Html): Html =>
      html`If there's an account for ${to}, we sent a code to its email address. Enter it here within 10 minutes.`,
    again: "Send a new code",
    linkTitle: "Log in on this device?",
    linkLead: (realm: Html, email: Html): Html => html`You're about to log in to ${realm} as ${email}.`,
    otherwise:
      "If you didn't ask for this email, you can close this page. Nobody will be logged in unless you confirm.",
    typeTitle: "Enter the code from the email",
    typeLead: "Go back to where you're logging in, and enter the 6-digit code from the email there."
  },
  /** The texts about each second factor. `use` is the label of the button for choosing the factor. */
  secondStep: {
    passkey: {
      title: "Confirm it's you",
      lead: "Your account is protected by two-step verification. Use your passkey to continue.",
      label: "Passkey",
      hint: "",
      wrong: "This passkey doesn't work here, or you took too long. Try again, or confirm another way.",
      use: "Use a passkey"
    },
    totp: {
      title: "Enter your code",
      lead: "Your account is protected by two-step verification. Enter the code from your authenticator app.",
      label: "Code",
      hint: "A 6-digit code that changes every 30 seconds.",
      wrong: "That code is incorrect or no longer valid. Wait for a new code and try again.",
      use: "Use your authenticator app"
    },
    recovery_codes: {
      title: "Enter a recovery code",
      lead: "Enter one of the recovery codes you saved when you set up two-step verification.",
      label: "Recovery code",
      hint: "12 letters and digits. Each code works once.",
      wrong: "That recovery code is incorrect or has already been used. Try another one.",
      use: "Use a recovery code"
    },
    email_code: {
      title: "Check your email",
      lead: "We sent a code to the email address of your account. Enter it here within 10 minutes.",
      label: "Code",
      hint: "The 6-digit code in the email.",
      wrong: "That code is incorrect or no longer valid. Check the latest email and try again.",
      use: "Get a code by email"
    }
  },
  signup: {
    title: "Create your account",
    button: "Create account",
    username: "Username",
    org: "Organization",
    addNames: "Add your name",
    addOrg: "Add your organization",
    addNamesAndOrg: "Add name and organization",
    toLogin: "Already have an account?",
    toLoginLink: "Log in",
    preverify: "Create your account",
    preverifyLead: "First, confirm your email address. We'll send you an email with a link to continue.",
    preverifyButton: "Send email",
    request: "Request access",
    requestLead: (realm: Html): Html =>
      html`${realm} is by invitation only. Enter your email, and your request will be reviewed.`,
    requestButton: "Request access",
    closed: "Sign-ups are closed",
    closedLead: (realm: Html): Html => html`You can't sign up for ${realm} here.`,
    closedTodo: "Contact support if you need an account."
  },
  forgot: {
    title: "Forgot your password?",
    lead: "We'll send you an email with a link to choose a new one.",
    button: "Send email",
    again: "Request a new email"
  },
  sent: {
    /** Shown with the other texts if this service stores emails in its mailbox. */
    local: "This service doesn't send emails. They stay in its mailbox.",
    mailbox: "Open the mailbox",
    title: "Check your email",
    forgot: (to: Html): Html =>
      html`If there's an account for ${to}, we'll send an email to its address. The link in it expires in one hour.`,
    preverify: (to: Html): Html => html`We sent an email to ${to}. Open the link in it to continue.`,
    verification: (to: Html): Html => html`We sent an email to ${to}. Open the link in it to confirm your address.`,
    missing: "Nothing after a few minutes? Check your spam folder, and make sure you entered the right address.",
    again: "Try again",
    request: "Access requested",
    requestLead: (to: Html): Html =>
      html`Your request will be reviewed. If it's approved, we'll send an email to ${to} with a link to your account.`
  },
  /** The texts common to all pages of the user's own account. */
  account: {
    title: "Your account",
    tabs: { profile: "Profile", security: "Security", team: "Team" },
    more: "More"
  },
  security,
  team,
  profile: {
    title: "Your profile",
    lead: (user: Html, realm: Html): Html => html`${user} on ${realm}`,
    saved: {
      details: "Your details have been saved.",
      email: "We sent the email again.",
      verification: "We sent you an email. Open the link in it to confirm your address."
    },
    details: "Details",
    detailsButton: "Save",
    pending: (email: Html): Html =>
      html`${email} isn't confirmed yet. Open the link in the email we sent there. Until then, your address stays the same.`,
    resend: "Resend email",
    unconfirmed: (email: Html): Html =>
      html`${email} isn't confirmed yet. We can send you an email with a link to confirm it.`,
    verify: "Send email",
    language: "Language",
    languageHint: "For the emails we send you. These pages follow your browser.",
    languageDefault: (language: string): string => `Default (${language})`,
    currentPassword: "Current password",
    emailNeedsPassword: "Only needed to change your email.",
    data: "Your data",
    dataLead:
      "Download the data stored about you here as a JSON file: your details, how you log in, your sessions and your account activity.",
    dataButton: "Download my data",
    org: (org: Html): Html => html`Organization: ${org}`,
    chooseOrg: "Choose an organization",
    switchOrg: "Switch organization",
    invite: "Invite someone",
    logout: "Log out"
  },
  enrol: {
    title: "Set up your authenticator app",
    scan: (device: Html): Html => html`To set up ${device}, scan this QR code with your authenticator app.`,
    qr: "QR code for your authenticator app",
    type: "Can't scan it? Enter this key in the app instead:",
    code: "Code shown in the app",
    button: "Confirm",
    cancel: "Cancel",
    dueTitle: "Set up two-step verification",
    dueLead:
      "To continue, protect your account with an authenticator app. You'll enter a code from it when you log in.",
    dueChoice: "To continue, protect your account with a passkey or an authenticator app.",
    passkey: "Passkey",
    app: "Authenticator app",
    dueButton: "Set it up",
    dueScan: "Scan this QR code with your authenticator app."
  },
  accounts: {
    title: "Choose an organization",
    lead: "You belong to more than one. Which one do you want to use?",
    current: "Current",
    noneTitle: "No organization yet",
    none: "You don't belong to an organization yet.",
    noneTodo: "Ask a member of your organization to invite you.",
    profile: "Your profile"
  },
  invite: {
    title: "Invite someone",
    lead: (realm: Html): Html => html`They'll get an email with a link to join ${realm}.`,
    orgLead: (org: Html): Html => html`They'll get an email with a link to join ${org}.`,
    chosenOrgLead: "They'll get an email with a link to join the organization.",
    org: "Organization",
    button: "Send invitation",
    none: "There's no organization you can invite people to.",
    done: "Invitation sent",
    doneLead: (email: Html): Html => html`An email with a link is on its way to ${email}.`,
    another: "Invite someone else",
    profile: "Back to your profile"
  },
  logout: {
    title: "Log out?",
    lead: (user: Html): Html => html`You're logged in as ${user}.`,
    askedBy: (client: Html): Html => html`${client} is asking you to log out.`,
    everywhere: "You'll also be logged out of the other apps you've opened with this login.",
    button: "Log out",
    stay: "Stay logged in",
    done: "You're logged out",
    doneLead: "If this is a shared computer, close the browser too.",
    login: "Log in again"
  },
  tooMany: {
    title: "Too many attempts",
    lead: (seconds: number): string =>
      `Try again in ${formatDuration(seconds, ["second", "seconds"], ["minute", "minutes"])}.`,
    todo: "Nothing was changed.",
    back: "Back"
  }
}
