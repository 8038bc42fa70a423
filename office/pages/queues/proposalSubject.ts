/** Where what a proposal is about can be looked at; some subjects have no screen of their own. */
export function proposalSubjectPath({ kind, id }: { kind: string; id: string }): string | undefined {
  switch (kind) {
    case 'member':
      return `/members/${id}`
    case 'deposit':
    case 'withdrawal':
      return `/${kind}s/${id}`
    case 'password_request':
    case 'password-request':
      return `/password-requests/${id}`
    case 'staff':
      return '/staff'
    case 'limit':
      return '/limits'
    default:
      return undefined
  }
}
