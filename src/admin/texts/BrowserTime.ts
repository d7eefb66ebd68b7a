/** The browser's time, in Unix milliseconds. */
export const browserTime = (): number => Date.now()
