import type { CharacterKind } from "#domain/PasswordPolicy"
import { type Html, html } from "#platform/Html"
import { apps } from "./apps/en.ts"

const kinds: Readonly<Record<CharacterKind, string>> = {
  lower: "a lower-case letter",
  upper: "an upper-case letter",
  digit: "a digit",
  symbol: "a symbol"
}

const listed = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`

/** What the pages say, in English. Names come as markup. */
export const en = {
  language: "en",
  ...apps,
  form: {
    errorTitle: (title: string): string => `Error: ${title}`,
    errors: "There is a problem",
    optional: "(optional)",
    account: "Account",
    email: "E-mail",
    name: "E-mail or username",
    password: "Password",
    newPassword: "New password",
    again: "The same password again",
    firstName: "First name",
    lastName: "Last name",
    code: "Code",
    show: "Show password",
    nameMissing: "Enter your e-mail or username.",
    demands: (least: number, required: ReadonlyArray<CharacterKind>): string =>
      `At least ${least} characters${required.length === 0 ? "" : `, with ${listed(required.map((kind) => kinds[kind]))}`}. Several words together are easy to remember and hard to guess.`
  },
  verify: {
    title: "Confirm your e-mail address",
    lead: (email: Html, realm: Html): Html => html`Is ${email} the address of your account with ${realm}?`,
    button: "Yes, confirm this address",
    otherwise: "If you don't know what this is about, close the page: without you nothing happens.",
    passwordLead: (email: Html, realm: Html): Html =>
      html`To confirm ${email}, enter the password of your account with ${realm}.`,
    passwordButton: "Confirm this address",
    wrongPassword: "That password is not right. Check it, capitals included, and try again.",
    unproved: "Show first that the account is yours.",
    loginLead: (email: Html, realm: Html): Html =>
      html`To confirm ${email}, log in to ${realm} in this browser, then open the link from the mail again.`,
    resetTitle: "Forgotten the password, or never signed up?",
    resetLead:
      "We can send you a mail with a link to choose a new password. Once you have, everyone else is logged out of the account, and nobody can get in another way that was set up before.",
    resetButton: "Send the mail",
    resetSent: (email: Html): Html =>
      html`We have sent a mail to ${email}. Open the link in it to choose a new password.`,
    done: "Your e-mail address is confirmed",
    doneLead: (email: Html, realm: Html): Html => html`${email} is now the address of your account with ${realm}.`
  },
  reset: {
    title: "Choose a new password",
    lead: (realm: Html): Html => html`It is for your account with ${realm}.`,
    button: "Set the new password",
    done: "Your password is changed",
    doneLead: (realm: Html): Html =>
      html`Log in to ${realm} with the new one. Wherever you were logged in before, you have to log in again.`
  },
  invitation: {
    title: "You are invited",
    lead: (to: { readonly realm: Html; readonly org: Html | undefined; readonly inviter: Html | undefined }): Html => {
      const where = to.org === undefined ? to.realm : html`${to.org} on ${to.realm}`
      return to.inviter === undefined
        ? html`You are invited to join ${where}.`
        : html`${to.inviter} invites you to join ${where}.`
    },
    signup: "Create your account",
    signupButton: "Create account and join",
    toSignup: "You have no account yet?",
    toSignupLink: "Create one",
    login: "Log in to accept",
    loginButton: "Log in and join",
    toLogin: "You have an account already?",
    toLoginLink: "Log in",
    taken: "There is an account with this e-mail already. Log in to accept the invitation.",
    code: "Enter your code",
    codeLead: "Your account is protected by a second step. Open your authenticator app and enter the code it shows.",
    codeHint: "Six digits, a new one every 30 seconds.",
    codeButton: "Confirm and join",
    lapsed: "That took too long, or too many codes were tried. Please log in again.",
    done: "Welcome!",
    joined: (realm: Html, org: Html | undefined): Html =>
      org === undefined ? html`You have joined ${realm}.` : html`You are now a member of ${org} on ${realm}.`,
    newAccount: (email: Html): Html => html`Your account is ready: log in with ${email} and your password.`
  },
  social: {
    codeButton: "Log in",
    again: "Start again",
    retry: "Try again",
    elsewhere: "Or go back to where you wanted to log in, and begin there.",
    join: "Accept this invitation?",
    joinLead: (account: Html, invited: Html): Html =>
      html`You are logged in as ${account}. The invitation was sent to ${invited}.`,
    joinButton: "Accept and join",
    skipButton: "Continue without joining"
  },
  /** Where the sentences for callers of the API would not do. */
  sentences: {
    context_word: "The password may not contain your name, your e-mail or the name of this service.",
    taken: "Another account has this address already.",
    unmatched: "The two passwords are not the same."
  },
  wrongLogin: "Login failed. Check what you have entered, capitals included.",
  wrongCode: "That is not the code of now. Wait for the next one and enter that.",
  close: "You can close this page now.",
  problems: {
    verify: {
      title: "This link does not work any more",
      lead: "It was used already, or it is older than 24 hours, or your address has changed since.",
      todo: "If you confirmed it a moment ago, all is well. Otherwise ask for a new mail where you log in."
    },
    reset: {
      title: "This link does not work any more",
      lead: "It was used already, or it is older than an hour, or your password has changed since.",
      todo: "If you changed it a moment ago, all is well: log in with the new one. Otherwise ask for a new mail where you log in."
    },
    invitation: {
      title: "This invitation does not work any more",
      lead: "It was accepted already, or it has expired, or it was withdrawn.",
      todo: "If you accepted it a moment ago, all is well: just log in. Otherwise ask whoever invited you for a new one."
    },
    realm_inactive: {
      title: "Not possible at the moment",
      lead: "Accounts are turned off here for now.",
      todo: "Try the link again later, or ask whoever runs the service."
    },
    provider_inactive: {
      title: "Passwords are not used here",
      lead: "Accounts of this service log in another way.",
      todo: "Go to where you usually log in, or ask whoever runs the service."
    },
    no_login: {
      title: "There is no login here",
      lead: "The address is not complete, or this way to log in is turned off.",
      todo: "Go back to where you wanted to log in."
    },
    login_lost: {
      title: "This login can't be finished",
      lead: "It took longer than 30 minutes, or it is finished already, or it was begun in another browser.",
      todo: "Start again."
    },
    login_refused: {
      title: "You are not logged in",
      lead: "The provider has not let you in.",
      todo: "Try again."
    },
    redirect_refused: {
      title: "This link is not right",
      lead: "It asks us to send you to a place that we don't know, so nobody is logged in by it.",
      todo: "Go back to where you wanted to log in."
    },
    state_refused: {
      title: "This link is not right",
      lead: "What the app wants to hear back (state) is longer than 512 characters or can't be shown, so nobody is logged in by it.",
      todo: "Go back to where you wanted to log in."
    },
    handler_missing: {
      title: "This login is not ready yet",
      lead: "The app that it belongs to has not said where you go afterwards.",
      todo: "Ask whoever runs the app."
    },
    nowhere: {
      title: "There is nothing here",
      lead: "The link is not complete, or what it belonged to is gone.",
      todo: "Open the link from the mail again, as a whole."
    },
    no_app: {
      title: "There is nothing here",
      lead: "No app has its pages at this address.",
      todo: "Check the address, or go back to where you came from."
    },
    method: {
      title: "This page can't do that",
      lead: "Your browser asked in a way that this page does not know.",
      todo: "Open the page again by its link."
    },
    foreign: {
      title: "This came from another site",
      lead: "For your safety, only our own page may send this form.",
      todo: "Open the page by its link and send the form from there."
    },
    unreadable: {
      title: "This could not be read",
      lead: "What your browser sent is not a form of ours.",
      todo: "Open the page again by its link."
    },
    unavailable: {
      title: "Busy at the moment",
      lead: "Nothing has been changed.",
      todo: "Try again in a moment."
    }
  }
}

/** What every language has to say. */
export type Texts = typeof en
