/** The release number in the API's documents and pages. */
export const RELEASE = "0.1.0"
