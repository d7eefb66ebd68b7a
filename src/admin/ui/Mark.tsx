import { MARK_PATH } from "#domain/ServiceMark"

/** The service's logo mark. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 16 16" aria-hidden focusable="false">
    <rect width="16" height="16" rx="4" />
    <path d={MARK_PATH} />
  </svg>
)
