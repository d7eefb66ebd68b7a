const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/** Returns whether a string is a code verifier by the grammar of RFC 7636 §4.1. */
export const isCodeVerifier = (text: string): boolean => VERIFIER.test(text)
