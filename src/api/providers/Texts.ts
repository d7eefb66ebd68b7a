/** What the settings of an auth provider mean, for those who set them and those who read them. */
export const texts = {
  state: "Whether the provider can be used to log in: `active` or `inactive`.",
  provider_type:
    "What the provider is: `password`, `totp` (authenticator apps), one of the named services, or any other OAuth 2.0 service (`oauth2`). Decides which members there are.",
  min_length: "Of `password`: the least length of new passwords, in characters, 8 to 512.",
  preset:
    "Of `password`: rules on top of `min_length`: none (`none`), or those of NIST SP 800-63B (`nist`): at least 15 characters, or 8 for users with a second factor.",
  required_chars:
    "Of `password`: the kinds of characters that new passwords must contain: `lower`, `upper`, `digit`, `symbol`.",
  name: "The name that people see where they choose how to log in; null for that of the service.",
  client_id: "Your client ID at the provider.",
  scopes: "The OAuth scopes to ask for, 2,048 characters in all.",
  authorization_url: "Of `oauth2`: the URL at which users log in.",
  token_url: "Of `oauth2`: the URL that exchanges codes for tokens.",
  profile_url: "Of `oauth2`: the URL that returns the user's profile as JSON.",
  id_field: "Of `oauth2`: the member of the profile with the user's ID, such as `sub` or `data.user.id`.",
  email_field: "Of `oauth2`: the member of the profile with the e-mail.",
  email_verified_field:
    "Of `oauth2`: the member of the profile that says whether the e-mail is verified; null for never.",
  first_name_field: "Of `oauth2`: the member of the profile with the first name; null for none.",
  last_name_field: "Of `oauth2`: the member of the profile with the last name; null for none.",
  name_field:
    "Of `oauth2`: the member of the profile with the whole name, for want of first and last name; null for none."
} as const
