/** Which of the two passwords: `?kind=login|transaction`, without one the login password. */
export type PasswordKind = 'login' | 'transaction'

export const passwordKindOf = (query: URLSearchParams): PasswordKind =>
  query.get('kind') === 'transaction' ? 'transaction' : 'login'
