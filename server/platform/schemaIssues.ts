import type { $ZodIssue, $ZodType, $ZodTypes } from 'zod/v4/core'

/** The farthest a misspelt name may be from the one that is proposed. */
const distanceMax = 3

/**
 * What is wrong with an operator's file, one line for each field, which begins with its path. An unknown field is named
 * with the known one it resembles most.
 */
export const describeIssues = (schema: $ZodType, issues: readonly $ZodIssue[], under = ''): string[] =>
  issues.flatMap((issue) => describeIssue({ schema, under, before: [] }, issue))

/** `under` is the path of the value in its file, and `before` that of a union whose branch is described. */
type Described = { schema: $ZodType; under: string; before: readonly PropertyKey[] }

function describeIssue({ schema, under, before }: Described, issue: $ZodIssue): string[] {
  const path = [...before, ...issue.path]
  const at = [under, ...path.map(String)].filter((name) => name !== '').join('.')
  const prefix = at === '' ? '' : `${at}: `
  if (issue.code === 'unrecognized_keys') {
    const known = knownNames(schemasAt(schema, path))
    return issue.keys.map((name) => `${prefix}${unknownField(name, known)}`)
  }
  if (issue.code === 'invalid_union') {
    const branch = likeliestBranch(issue.errors)
    if (branch) return branch.flatMap((inner) => describeIssue({ schema, under, before: path }, inner))
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) return [`${at || 'it'} is missing`]
  // The library's own words speak of types; those that begin with `must` are ours.
  return [`${at || 'it'} ${issue.message.startsWith('must') ? issue.message : 'is not valid'}`]
}

function unknownField(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return `unknown field \`${name}\`${nearest === undefined ? '' : `; did you mean \`${nearest}\`?`}`
}

/** Of the branches of a union, the one with the fewest mistakes; a branch that only has an unknown field comes first. */
function likeliestBranch(branches: readonly (readonly $ZodIssue[])[]): readonly $ZodIssue[] | undefined {
  const badness = (issues: readonly $ZodIssue[]): number =>
    issues.reduce((sum, { code }) => sum + (code === 'unrecognized_keys' ? 1 : 2), 0)
  return branches.toSorted((a, b) => badness(a) - badness(b))[0]
}

/** The known name that differs least, in upper or lower case, from what was written. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const limit = Math.min(distanceMax, Math.floor(name.length / 3))
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance)
  return nearest?.candidate
}

/** How many characters are to be added, removed, replaced or exchanged with their neighbour. */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, i) => i)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1]
      const isExchanged = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const steps = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1)]
      row.push(Math.min(...steps, isExchanged ? at(i - 2, j - 2) + 1 : Infinity))
    }
  }
  return at(from.length, to.length)
}

/** The schemas that a value at this path may have: several inside of a union. */
function schemasAt(root: $ZodType, path: readonly PropertyKey[]): $ZodType[] {
  let schemas = [root]
  for (const key of path) schemas = schemas.flatMap((schema) => innerSchemas(schema, key))
  return schemas
}

function innerSchemas(schema: $ZodType, key: PropertyKey): $ZodType[] {
  return unwrapped(schema).flatMap((inner): $ZodType[] => {
    const { def } = (inner as $ZodTypes)._zod
    if (def.type === 'object') return key in def.shape ? [def.shape[String(key)] as $ZodType] : []
    if (def.type === 'array') return [def.element]
    if (def.type === 'record') return [def.valueType]
    return []
  })
}

/** The schemas behind defaults, optional values and unions. */
function unwrapped(schema: $ZodType): $ZodType[] {
  const { def } = (schema as $ZodTypes)._zod
  if (def.type === 'union') return def.options.flatMap((option) => unwrapped(option))
  if ('innerType' in def) return unwrapped(def.innerType)
  return [schema]
}

const knownNames = (schemas: readonly $ZodType[]): string[] =>
  schemas.flatMap(unwrapped).flatMap((schema) => {
    const { def } = (schema as $ZodTypes)._zod
    return def.type === 'object' ? Object.keys(def.shape) : []
  })
