/** The descriptions of a connected app's settings, for requests and responses. */
export const texts = {
  name: "The app's name.",
  client_type:
    "What the app is: one with login pages of its own (`standard`), or an OAuth client: a web server that keeps a secret (`web`), a program in a browser (`spa`) or on a device (`native`), a program that acts for itself (`machine`), or a device without a browser (`device`). It can't be changed.",
  state: "Whether the app's pages are served, or the OAuth client is known: `active` or `inactive`.",
  subdomain:
    "The first label of the host of the app's pages, unique across all realms: 1 to 63 letters, digits or hyphens, in lower case.",
  header:
    "HTML above the content of the pages. Only text, headings, lists, links, tables, https images and `class` are kept.",
  footer:
    "HTML below the content of the pages. Only text, headings, lists, links, tables, https images and `class` are kept.",
  external_css: "The URL of a stylesheet for the pages: https, or http on the browser's own machine.",
  login_handler:
    "The URL in your app to which people go after a login, with `token` in its query: https, or http on the browser's own machine.",
  signup_handler: "The same after a sign-up, instead of `login_handler`.",
  redirect_uris:
    "The URLs that may be given as `redirect_uri`, at most 100: like `login_handler`, or with your app's own scheme that contains a dot, such as `com.example.app:/path`. For an OAuth client, browsers are sent back to exactly these; `native` clients may use any port of a loopback address and schemes of their own, also without a dot (`example://path`) unless the scheme belongs to the web, to browsers or to the system.",
  logout_uris:
    "The URLs that may be given to `/logout` as `redirect_uri`, besides the handlers and `redirect_uris`, at most 100: in the same forms as `redirect_uris`.",
  signup_mode:
    "What a sign-up creates: a user (`user`), a user and an org (`user_org`), only a signup token (`user_token`), or nothing, for no sign-ups (`none`).",
  require_password_confirmation:
    "Whether people who sign up must type their password twice. Those who change it always do on the pages.",
  require_names: "Whether people who sign up must give a first and last name.",
  require_org_name: "Whether people who sign up must name the new org, with `signup_mode` `user_org`.",
  allow_jsonp: "Whether the operations of hosted login can be called by JSONP, with `callback`.",
  auto_continue:
    "Whether people who are logged in already go on from `/login` to the app at once. If false, `/login` asks whether to continue as that user.",
  allow_invitations:
    "Whether people may invite others at `/invitation`: owners and admins of an org to that org, or, with `org_mode` `single_user`, everyone to the realm unless its `signup` is `closed`.",
  appearance: "How the app's pages look. Members that are left out do not change.",
  appearance_name: "What people see on the pages and in default mails in place of the realm's name.",
  color:
    "The brand color, of buttons and links, as `#rrggbb`. Text on it and links are made readable, whatever the color.",
  dark_color: "The brand color in the dark theme, used as it is. Without it, it is derived from `color`.",
  invitation_permissions: "The permissions in the org of people who are invited to it at `/invitation`."
} as const
