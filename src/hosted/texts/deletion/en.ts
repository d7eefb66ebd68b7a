import { type Html, html } from "#platform/Html"

/** The English texts about deleting an account. Names and dates are passed as markup. */
export const deletion = {
  heading: "Delete account",
  open: "Delete my account",
  lead: (date: Html): Html =>
    html`Your account and everything stored about you here will be deleted on ${date}. Until then, you can keep using your account and change your mind. We'll email you a link for that.`,
  leadAtOnce: "Your account and everything stored about you here will be deleted immediately. You can't undo this.",
  confirm: (date: string): string => `Yes, delete my account on ${date}.`,
  confirmAtOnce: "Yes, delete my account now.",
  button: "Delete my account",
  ownerOf: (orgs: Html): Html =>
    html`You're the only owner of ${orgs}, which has other members. Make someone else the owner before you delete your account.`,
  ownerOfSeveral: (orgs: Html): Html =>
    html`You're the only owner of ${orgs}, which have other members. Make someone else the owner of each before you delete your account.`,
  title: "Your account will be deleted",
  scheduled: (date: Html): Html =>
    html`You asked us to delete your account. It will be deleted on ${date}, with everything stored about you here.`,
  keep: "Keep my account",
  proceed: "Continue",
  unexpected: "Wasn't it you? Keep your account, then change your password.",
  kept: "Your account stays",
  keptLead: "It won't be deleted. You can use it as before.",
  deleted: "Your account has been deleted",
  deletedLead: "You're logged out, and everything stored about you here is gone."
}
