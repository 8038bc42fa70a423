/** What the link of an approved forgotten password carries: `kind`, `code`, and `calls` if it needs the first person's code. */
export const recoveryQueryOf = (link = ''): URLSearchParams => new URLSearchParams(link.split('?')[1])
