/** The descriptions of a connected app's settings, for requests and responses. */
export const texts = {
  name: "The app's name.",
  client_type:
    "The type of the app: an app with its own login pages (`standard`), or an OAuth client: a web server with a secret (`web`), an app in a browser (`spa`) or on a device (`native`), a program that acts on its own behalf (`machine`), or a device without a browser (`device`). Can't be changed.",
  state: "Whether the app's pages are served, or the OAuth client can be used: `active` or `inactive`.",
  subdomain:
    "The first label of the host of the app's pages, unique across all realms: 1 to 63 letters, digits or hyphens, in lower case.",
  header:
    "HTML above the content of the pages. Only text, headings, lists, links, tables, https images and `class` are allowed; everything else is removed.",
  footer:
    "HTML below the content of the pages. Only text, headings, lists, links, tables, https images and `class` are allowed; everything else is removed.",
  external_css: "The URL of a stylesheet for the pages: https, or http on the browser's own machine.",
  login_handler:
    "The URL in your app that users are redirected to after a login, with `token` in the query. It must be https, or http on the browser's own machine.",
  signup_handler: "The URL that users are redirected to after a sign-up, instead of `login_handler`.",
  redirect_uris:
    "The URLs allowed as `redirect_uri`, at most 100. They have the same format as `login_handler`, or your app's own scheme containing a dot, such as `com.example.app:/path`. OAuth clients must match them exactly, with two exceptions for `native` clients: they can use any port of a loopback address, and custom schemes without a dot (`example://path`), unless the web, browsers or operating systems use the scheme.",
  logout_uris:
    "The URLs that `/logout` accepts as `redirect_uri`, in addition to the handlers and `redirect_uris`. At most 100, in the same formats as `redirect_uris`.",
  signup_mode:
    "The result of a sign-up: a user (`user`), a user and an org (`user_org`) or only a signup token (`user_token`). `none` turns sign-ups off.",
  require_password_confirmation:
    "Whether people must type their password twice to sign up. Password changes on the pages always require it.",
  require_names: "Whether people must enter a first and last name to sign up.",
  require_org_name: "Whether people must name the new org to sign up, with `signup_mode` `user_org`.",
  allow_jsonp: "Whether the operations of hosted login can be called by JSONP, with `callback`.",
  auto_continue:
    "Whether `/login` redirects users who are already logged in straight to the app. If false, it asks whether to continue as that user.",
  allow_invitations:
    "Whether users can invite others at `/invitation`. Owners and admins of an org can invite to that org. With `org_mode` `single_user`, everyone can invite to the realm unless its `signup` is `closed`.",
  appearance: "The appearance of the app's pages. Missing members don't change.",
  appearance_name: "The name shown on the pages and in default emails instead of the realm's name.",
  color:
    "The brand color of buttons and links, as `#rrggbb`. The pages adjust links and text on the color so that they stay readable.",
  dark_color: "The brand color in the dark theme, used without adjustment. Default: derived from `color`.",
  background:
    "The color around the card of pages and emails, as `#rrggbb`: of the whole page with the layout `plain`, and of the colored half with `split`. The pages choose text colors that are readable on it.",
  dark_background:
    "The background in the dark theme. Default: `background` unless it is light, else the default dark background.",
  font: "The font of pages and emails. Each value is a list of fonts that operating systems include; no font is downloaded.",
  radius: "How round the corners of buttons, fields and the card are.",
  layout:
    "The layout of the pages: a card on the background (`card`), no card (`plain`), or on wide screens, a colored half with the logo beside the form (`split`).",
  invitation_permissions: "The permissions that people get when they are invited to an org at `/invitation`."
} as const
