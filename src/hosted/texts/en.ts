import type { CharacterKind } from "#domain/PasswordPolicy"
import { type Html, html } from "#platform/Html"
import { apps } from "./apps/en.ts"
import { authorize } from "./authorize/en.ts"
import { deletion } from "./deletion/en.ts"
import { device } from "./device/en.ts"
import { passkeys } from "./passkeys/en.ts"

const kinds: Readonly<Record<CharacterKind, string>> = {
  lower: "a lowercase letter",
  upper: "an uppercase letter",
  digit: "a digit",
  symbol: "a symbol"
}

const listed = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

/** The name of a provider, at the start of a sentence and within one. */
export interface ProviderName {
  readonly alone: string
  readonly within: string
}

/** The English texts of the pages. Names are passed as markup. */
export const en = {
  language: "en",
  /** The name of the language, in that language. */
  languageName: "English",
  ...apps,
  authorize,
  deletion,
  device,
  passkeys,
  form: {
    errorTitle: (title: string): string => `Error: ${title}`,
    errors: "There is a problem",
    optional: "(optional)",
    account: "Account",
    email: "Email",
    name: "Email or username",
    password: "Password",
    newPassword: "New password",
    again: "Confirm password",
    firstName: "First name",
    lastName: "Last name",
    code: "Code",
    show: "Show password",
    nameMissing: "Enter your email or username.",
    emailMissing: "Enter your email.",
    strength: {
      label: "Password strength: %",
      levels: ["Too short", "Weak", "Fair", "Good", "Strong"]
    },
    demands: (least: number, required: ReadonlyArray<CharacterKind>): string =>
      `At least ${least} characters${required.length === 0 ? "" : `, including ${listed(required.map((kind) => kinds[kind]))}`}. A few unrelated words work best.`
  },
  verify: {
    title: "Confirm your email address",
    lead: (email: Html, realm: Html): Html => html`Is ${email} the email address for your ${realm} account?`,
    button: "Yes, confirm this address",
    otherwise: "If you weren't expecting this, you can close this page. Nothing changes unless you confirm.",
    passwordLead: (email: Html, realm: Html): Html =>
      html`To confirm ${email}, enter the password for your ${realm} account.`,
    passwordButton: "Confirm this address",
    wrongPassword: "That password is incorrect. Check it and try again.",
    unproved: "First, show that this account is yours.",
    loginLead: (email: Html, realm: Html): Html =>
      html`To confirm ${email}, log in to ${realm} in this browser, then open the link in the email again.`,
    resetTitle: "Forgot your password, or never signed up?",
    resetLead:
      "We can send you an email with a link to choose a new password. When you choose one, everyone else is logged out of the account, and any other way to log in that was set up before stops working.",
    resetButton: "Send email",
    resetSent: (email: Html): Html => html`We sent an email to ${email}. Open the link in it to choose a new password.`,
    done: "Email address confirmed",
    doneLead: (email: Html, realm: Html): Html => html`${email} is now the email address for your ${realm} account.`
  },
  operator: {
    title: "Set up your account",
    lead: (email: Html): Html =>
      html`Choose a password for ${email}. You can add a passkey or a second factor afterwards.`,
    button: "Create account"
  },
  reset: {
    title: "Choose a new password",
    lead: (realm: Html): Html => html`This is for your ${realm} account.`,
    button: "Set new password",
    done: "Password changed",
    doneLead: (realm: Html): Html =>
      html`Log in to ${realm} with your new password. You'll need to log in again everywhere you were logged in.`
  },
  invitation: {
    title: "You're invited",
    lead: (to: { readonly realm: Html; readonly org: Html | undefined; readonly inviter: Html | undefined }): Html => {
      const where = to.org === undefined ? to.realm : html`${to.org} on ${to.realm}`
      return to.inviter === undefined
        ? html`You're invited to join ${where}.`
        : html`${to.inviter} invited you to join ${where}.`
    },
    own: "Finish signing up",
    ownLead: (realm: Html): Html => html`Choose a password for your ${realm} account.`,
    signup: "Create your account",
    signupButton: "Create account and join",
    toSignup: "Don't have an account?",
    toSignupLink: "Sign up",
    login: "Log in to accept",
    loginButton: "Log in and join",
    toLogin: "Already have an account?",
    toLoginLink: "Log in",
    taken: "An account with this email already exists. Log in to accept the invitation.",
    codeButton: "Confirm and join",
    lapsed: "This login has expired, or too many codes were tried. Log in again.",
    belongsTitle: "You're already a member",
    belongs: (to: Html): Html => html`You already belong to ${to}.`,
    usedTodo: "If you just accepted it, you're all set. Otherwise, ask the person who invited you for a new one.",
    cannotTitle: "You can't invite people",
    cannotOwners: "Only owners and admins of an organization can invite people to it. Ask one of them.",
    cannotHere: "Invitations are turned off here.",
    done: "Welcome!",
    joined: (realm: Html, org: Html | undefined): Html =>
      org === undefined ? html`You've joined ${realm}.` : html`You're now a member of ${org} on ${realm}.`,
    newAccount: (email: Html): Html => html`Your account is ready. Log in with ${email} and your password.`
  },
  social: {
    codeButton: "Log in",
    again: "Start over",
    elsewhere: "You can go back to the app and log in from there.",
    /** The reasons why a login with a provider failed, by the code of the problem. */
    failed: {
      provider_answer: (provider: ProviderName): string => `${provider.alone} sent a response that can't be used.`,
      provider_denied: (provider: ProviderName): string => `The login was canceled at ${provider.within}.`,
      provider_error: (provider: ProviderName, error: string): string =>
        `${provider.alone} returned an error: ${error}.`,
      provider_secret: (provider: ProviderName): string => `${provider.alone} isn't available for logins right now.`,
      provider_unreachable: (provider: ProviderName): string => `${provider.alone} can't be reached right now.`
    },
    retryAt: (provider: ProviderName): string => `Try ${provider.within} again`,
    password: "Log in with a password",
    other: "Log in another way",
    join: "Accept this invitation?",
    joinLead: (account: Html, invited: Html): Html =>
      html`You're logged in as ${account}. The invitation was sent to ${invited}.`,
    joinButton: "Accept and join",
    skipButton: "Continue without joining"
  },
  /** Texts that replace API error messages which are not suitable for a page. */
  sentences: {
    deletion_unconfirmed: "Check the box to confirm.",
    context_word: "Your password can't contain your name, your email or the name of this service.",
    taken: "Another account already uses this email or username.",
    already_invited: "This person already has an open invitation. You can send it again below.",
    password_for_email: "Enter your current password to change your email.",
    code_incomplete: "Enter all six digits of the code.",
    recovery_code_incomplete: "Enter all 12 letters and digits of the recovery code.",
    unmatched: "The passwords don't match.",
    last_way_in: "This is your only way to log in. Add another one first.",
    last_second_factor: "Two-step verification is required here. Add another second step first.",
    wrong_current_password: "Your current password is incorrect."
  },
  /** Messages to show below a field, without its label. Other messages are shown without the label that they start with. */
  unlabelled: {
    email_form: "Enter a valid email address."
  },
  taken: {
    email: "Another account already uses this email.",
    username: "Another account already uses this username."
  },
  wrongLogin: { email: "Incorrect email or password.", username: "Incorrect username or password." },
  wrongCode: "That code is incorrect or no longer valid. Wait for a new code and try again.",
  backToConsole: "Go to the console",
  backToApp: (app: Html): Html => html`Back to ${app}`,
  close: "You can close this page now.",
  problems: {
    verify: {
      title: "This link no longer works",
      lead: "It has already been used, is more than 24 hours old, or your email address has changed since.",
      todo: "If you just confirmed your address, you're all set. Otherwise, log in and request a new email."
    },
    code: {
      title: "This link no longer works",
      lead: "It has already been used or is more than 10 minutes old.",
      todo: "Log in to request a new code."
    },
    reset: {
      title: "This link no longer works",
      lead: "It has already been used, is more than an hour old, or your password has changed since.",
      todo: "If you just changed your password, log in with the new one. Otherwise, request a new email."
    },
    deletion: {
      title: "This link no longer works",
      lead: "Your account may have been kept already, or deleted.",
      todo: "Log in to check. If you can, your account is still there."
    },
    invitation: {
      title: "This invitation no longer works",
      lead: "It has already been accepted, has expired or was withdrawn.",
      todo: "If you just accepted it, log in. Otherwise, ask the person who invited you for a new one."
    },
    realm_inactive: {
      title: "Not available right now",
      lead: "Accounts are currently turned off here.",
      todo: "Try the link again later, or contact support."
    },
    provider_inactive: {
      title: "Password login is turned off",
      lead: "This service uses a different way to log in.",
      todo: "Log in the way you usually do, or contact support."
    },
    no_login: {
      title: "Login isn't available here",
      lead: "The link is incomplete, or this way to log in is turned off.",
      todo: "Go back to the app and log in from there."
    },
    login_lost: {
      title: "This login can't be completed",
      lead: "It may have taken more than 30 minutes, already been completed or been started in another browser.",
      todo: "Start over."
    },
    login_refused: {
      title: "You're not logged in",
      lead: "The provider didn't log you in.",
      todo: "Try again."
    },
    redirect_refused: {
      title: "This link isn't valid",
      lead: "It asks us to send you to an address that this app doesn't allow.",
      todo: "Go back to the app and try again from there."
    },
    client_unknown: {
      title: "This link isn't valid",
      lead: "The app that sent you here is unknown or has been turned off.",
      todo: "Go back to the app and try again, or contact its support."
    },
    request_refused: {
      title: "This link isn't valid",
      lead: "The app that sent you here made an invalid request.",
      todo: "Go back to the app and try again, or contact its support."
    },
    request_expired: {
      title: "This login can't be completed",
      lead: "It took too long or has already been completed.",
      todo: "Go back to the app and log in from there."
    },
    state_refused: {
      title: "This link isn't valid",
      lead: "Its state parameter must be printable text of at most 512 characters.",
      todo: "Go back to the app and try again from there."
    },
    demands_refused: {
      title: "This link isn't valid",
      lead: "It asks for a kind of login that isn't available here.",
      todo: "Go back to the app and try again from there."
    },
    handler_missing: {
      title: "This login isn't set up yet",
      lead: "The app hasn't set where to send you after you log in.",
      todo: "Contact support."
    },
    nowhere: {
      title: "Page not found",
      lead: "The link is incomplete, or its page no longer exists.",
      todo: "Open the link in the email again, and make sure it's complete."
    },
    not_found: {
      title: "Page not found",
      lead: "There is nothing at this address.",
      todo: "Check the address, or go back to where you came from."
    },
    no_app: {
      title: "Page not found",
      lead: "No app uses this address.",
      todo: "Check the address, or go back to where you came from."
    },
    method: {
      title: "This page can't do that",
      lead: "Your browser sent a request that this page doesn't support.",
      todo: "Open the page again from its link."
    },
    foreign: {
      title: "This request came from another site",
      lead: "For your security, this form can only be sent from our own page.",
      todo: "Open the page from its link and send the form from there."
    },
    unreadable: {
      title: "This request couldn't be read",
      lead: "Your browser sent something that this page can't read.",
      todo: "Open the page again from its link."
    },
    unavailable: {
      title: "Busy right now",
      lead: "Nothing was changed.",
      todo: "Try again in a moment."
    }
  }
}

/** The texts that every language provides. */
export type Texts = typeof en
