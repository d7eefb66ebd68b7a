/**
 * The domains of large providers of free mailboxes. Their users are no organization. Only their operators could prove them, so the
 * list needs no more than the names that people enter by mistake. Countries are covered by `families`.
 */
const domains: ReadonlySet<string> = new Set([
  "126.com",
  "163.com",
  "aim.com",
  "aol.com",
  "bluewin.ch",
  "bol.com.br",
  "btinternet.com",
  "comcast.net",
  "duck.com",
  "email.com",
  "fastmail.com",
  "fastmail.fm",
  "foxmail.com",
  "free.fr",
  "freenet.de",
  "gmail.com",
  "googlemail.com",
  "hey.com",
  "hushmail.com",
  "icloud.com",
  "inbox.ru",
  "laposte.net",
  "libero.it",
  "list.ru",
  "mac.com",
  "mail.com",
  "mail.ru",
  "me.com",
  "naver.com",
  "orange.fr",
  "pm.me",
  "posteo.de",
  "proton.me",
  "protonmail.ch",
  "protonmail.com",
  "qq.com",
  "rediffmail.com",
  "rocketmail.com",
  "seznam.cz",
  "t-online.de",
  "tuta.com",
  "tutanota.com",
  "tutanota.de",
  "uol.com.br",
  "virgilio.it",
  "wanadoo.fr",
  "web.de",
  "wp.pl",
  "ya.ru",
  "ymail.com"
])

/** Providers with a domain for each country, such as yahoo.co.uk. */
const families = /^(?:gmx|hotmail|live|msn|outlook|yahoo|yandex)(?:\.[a-z]{2,3}){1,2}$/

/** Returns whether a domain in ASCII belongs to a provider of free mailboxes. */
export const isFreemail = (domain: string): boolean => domains.has(domain) || families.test(domain)
