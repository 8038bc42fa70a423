/** The first field of a form on the page that is marked as wrong: where a member goes on after a sheet was closed for it. */
export const firstInvalid = (): HTMLElement | null => document.querySelector('form [aria-invalid=true]')
