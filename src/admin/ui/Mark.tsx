/** The service's logo mark. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 16 16" aria-hidden focusable="false">
    <rect width="16" height="16" rx="4" />
    <path d="M5 13V7a3 3 0 0 1 6 0v6" />
  </svg>
)
