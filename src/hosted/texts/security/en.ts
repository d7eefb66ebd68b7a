/** What the security page says, in English. */
export const security = {
  title: "Sign-in and security",
  saved: {
    password: "Your password has been changed. You'll need to log in again everywhere else you were logged in.",
    password_set: "Your password has been set. From now on, you can also log in with it.",
    device: "Your authenticator app is set up. From now on, you'll also need a code from it to log in.",
    removed: "The authenticator app has been removed."
  },
  names: "You log in with",
  changeNames: "Change in your profile",
  password: "Password",
  passwordButton: "Change password",
  setPasswordButton: "Set a password",
  noPassword: "You log in another way, so you don't have a password here yet.",
  secondStep: "Two-step verification",
  secondStepLead:
    "Log in with a code from an authenticator app as well as your password, so that your password alone isn't enough to get in.",
  devices: "Your authenticator apps",
  unnamed: "Authenticator app",
  remove: "Remove",
  removeHint: "A 6-digit code from this app or another of your authenticator apps, or a recovery code.",
  removeButton: (device: string): string => `Remove ${device}`,
  deviceName: "Name",
  deviceHint: "To recognize it by, such as “My phone”.",
  add: "Add an authenticator app",
  addAnother: "Add another authenticator app",
  addButton: "Set up"
}
