type Issue = { code?: string; path: PropertyKey[]; keys?: string[]; input?: unknown }

/** What is wrong with a field of the product table, in one line that starts with its path. */
export function describeIssue(issue: Issue): string {
  const path = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return `${path === '' ? '' : `${path}: `}unknown field ${(issue.keys ?? []).join(', ')}`
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) return `${path || 'the row'} is missing`
  return `${path || 'the row'} is not valid`
}
