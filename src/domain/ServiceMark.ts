/** The arch of the service's logo mark, as an SVG path in a square of 16 by 16. */
export const MARK_PATH = "M5 13V7a3 3 0 0 1 6 0v6"
