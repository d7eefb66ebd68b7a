import { type Html, html } from "#platform/Html"

/** What the pages on an app's host say, in English. Names come as markup. */
export const apps = {
  login: {
    title: "Log in",
    button: "Log in",
    forgot: "Forgotten your password?",
    or: "or",
    provider: (name: string): string => `Continue with ${name}`,
    otherProvider: "Continue with another service",
    closed: "Nobody can log in here at the moment. Ask whoever runs the service.",
    toSignup: "You have no account yet?",
    toSignupLink: "Create one",
    toRequestLink: "Ask for access",
    back: "Back to the login",
    codeButton: "Log in",
    startAgain: "Log in from the start",
    again: "You are logged in",
    againLead: (user: Html, realm: Html): Html => html`You are logged in to ${realm} as ${user}.`,
    continueButton: "Continue",
    other: "Use another account",
    proofNeeded: "Log in again to make this change: your last login was more than 10 minutes ago."
  },
  signup: {
    title: "Create your account",
    button: "Create account",
    username: "Username",
    org: "Organization",
    toLogin: "You have an account already?",
    toLoginLink: "Log in",
    preverify: "Create your account",
    preverifyLead: "First we make sure that the address is yours: we send you a mail with a link that leads on.",
    preverifyButton: "Send the mail",
    request: "Ask for access",
    requestLead: (realm: Html): Html =>
      html`Accounts of ${realm} are by invitation. Leave your address, and somebody will decide on it.`,
    requestButton: "Ask for access",
    closed: "No new accounts here",
    closedLead: (realm: Html): Html => html`${realm} takes no new accounts by itself.`,
    closedTodo: "Ask whoever runs the service for one."
  },
  forgot: {
    title: "Forgotten your password?",
    lead: "We send you a mail with a link to choose a new one.",
    button: "Send the mail"
  },
  sent: {
    title: "Look into your mail",
    forgot: (to: Html): Html =>
      html`If there is an account with ${to}, a mail is on its way to its address. The link in it works for an hour.`,
    preverify: (to: Html): Html => html`We have sent a mail to ${to}. Open the link in it to go on.`,
    verification: (to: Html): Html => html`We have sent a mail to ${to}. Open the link in it to confirm the address.`,
    missing: "Nothing there after a few minutes? Look into the spam folder, and check how you wrote the address.",
    again: "Try again",
    request: "You have asked for access",
    requestLead: (to: Html): Html =>
      html`Somebody will decide on it. If it is granted, a mail goes to ${to}, with a link to your account.`
  },
  profile: {
    title: "Your profile",
    lead: (user: Html, realm: Html): Html => html`${user} on ${realm}`,
    saved: {
      details: "Your details are saved.",
      password: "Your password is changed. Wherever else you were logged in, you have to log in again.",
      device: "Your authenticator app is set up. From now on you log in with a code of it too.",
      removed: "The authenticator app is removed.",
      email: "We have sent the mail again."
    },
    details: "Details",
    detailsButton: "Save",
    pending: (email: Html): Html =>
      html`${email} waits for its confirmation: open the link in the mail that we have sent there. Until then your address stays as it is.`,
    resend: "Send the mail again",
    password: "Password",
    currentPassword: "Your password now",
    passwordButton: "Change password",
    emailNeedsPassword: "Only needed for another e-mail.",
    noPassword: "You log in with another service, so there is no password here.",
    secondStep: "Second step",
    secondStepLead:
      "With an authenticator app you log in with a code besides your password: who learns the one still lacks the other.",
    devices: "Your authenticator apps",
    unnamed: "Authenticator app",
    remove: "Remove",
    removeHint: "Six digits, from the app that you remove or from another one of yours.",
    removeButton: (device: string): string => `Remove ${device}`,
    deviceName: "Name",
    deviceHint: "To know it by, such as “My phone”.",
    add: "Add an authenticator app",
    addAnother: "Add another one",
    addButton: "Set up",
    more: "More",
    accounts: "Choose an organization",
    invite: "Invite somebody",
    logout: "Log out"
  },
  enrol: {
    title: "Set up your authenticator app",
    scan: (device: Html): Html => html`For ${device}: scan this with your authenticator app.`,
    qr: "QR code for your authenticator app",
    type: "You can't scan it? Enter this key in the app:",
    code: "Then enter the code that the app shows",
    button: "Confirm",
    cancel: "Cancel"
  },
  accounts: {
    title: "Choose an organization",
    lead: "You belong to more than one. Which one do you want to work in?",
    none: "You belong to no organization yet.",
    noneTodo: "Ask somebody who does for an invitation.",
    profile: "Your profile"
  },
  invite: {
    title: "Invite somebody",
    lead: (realm: Html): Html => html`They get a mail with a link to join ${realm}.`,
    orgLead: (org: Html): Html => html`They get a mail with a link to join ${org}.`,
    org: "Organization",
    button: "Send the invitation",
    none: "There is no organization to which you can invite.",
    done: "The invitation is sent",
    doneLead: (email: Html): Html => html`A mail with a link is on its way to ${email}.`,
    another: "Invite somebody else",
    profile: "Back to your profile"
  },
  logout: {
    title: "Log out?",
    lead: (user: Html): Html => html`You are logged in as ${user}.`,
    button: "Log out",
    stay: "Stay logged in",
    done: "You are logged out",
    doneLead: "On a computer that others use too, close the browser as well.",
    login: "Log in again"
  },
  tooMany: {
    title: "That was too often",
    lead: (minutes: number): string => (minutes === 1 ? "Try again in a minute." : `Try again in ${minutes} minutes.`),
    todo: "Nothing has been changed in the meantime."
  }
}
