/** The kind of password in the address: `?kind=login|transaction`, `login` by default. */
export type PasswordKind = 'login' | 'transaction'

export const passwordKindOf = (query: URLSearchParams): PasswordKind =>
  query.get('kind') === 'transaction' ? 'transaction' : 'login'
