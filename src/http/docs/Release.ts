/** The release, as the API's documents and pages name it. */
export const RELEASE = "0.1.0"
