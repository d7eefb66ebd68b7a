/**
 * Dotless schemes that no app can claim as its own: schemes of the web and of network protocols, schemes that browsers run,
 * show or open, schemes of operating systems, and schemes shared by a whole category of programs (SEC-213).
 */
const foreignSchemes: ReadonlySet<string> = new Set(
  `
  http https ws wss ftp ftps sftp tftp ssh telnet gopher ldap ldaps
  smb cifs afp nfs dav davs rsync rtsp rtmp rtmps mms vnc rdp dns wais
  javascript vbscript livescript mocha data file filesystem blob about view-source
  chrome chrome-untrusted devtools edge brave opera vivaldi resource jar wyciwyg jnlp jnlps
  googlechrome googlechromes googlechrome-x-callback firefox firefox-focus
  res mk mhtml its hcp shell search search-ms help cid mid urn tag
  intent android-app content app app-settings prefs settings shortcuts package market
  itms itmss itms-apps itms-appss itms-services applescript shareddocuments
  mailto tel telprompt callto sms smsto mmsto sip sips xmpp irc ircs im
  facetime facetime-audio imap imaps pop pops smtp news nntp snews feed webcal
  geo maps magnet bitcoin ethereum lightning payto upi git svn cvs jdbc odbc
  ipfs ipns ipp ipps otpauth openid openid4vp oauth openid-credential-offer fido
`
    .trim()
    .split(/\s+/)
)

/** Prefixes of schemes that belong to operating systems or browser extensions, or that any website can register. */
const FOREIGN_PREFIX = /^(?:ms-|x-|web\+|ext\+|chrome-|moz-|safari-|edge-|apple-|android-|view-|microsoft-)/

/** Returns whether a dotless scheme cannot belong to a single app. */
export const isForeignScheme = (scheme: string): boolean => {
  const name = scheme.toLowerCase()
  return foreignSchemes.has(name) || FOREIGN_PREFIX.test(name)
}
