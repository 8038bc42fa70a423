import { errorChain, pgCode } from './errors.ts'

/**
 * What is wrong with the database itself, not with a statement. `gone`: it cannot be reached or refuses all; `lost`: it ended a
 * connection or is restarting, so that another one may be opened soon; `full`: it cannot write; `slow`: it cancelled a statement that waited too long.
 */
export type TroubleKind = 'gone' | 'lost' | 'full' | 'slow'

export type DatabaseTrouble = {
  readonly kind: TroubleKind
  /** SQLSTATE or the system's code; null if there is none. */
  readonly code: string | null
  /** What the database does, in words that follow its name. */
  readonly what: string
}

type Meaning = readonly [codes: RegExp, kind: TroubleKind, what: string]

/** By SQLSTATE. A state that is not listed is an answer to the statement. */
const sqlStates: readonly Meaning[] = [
  [/^53100$/, 'full', 'has no space left on its disk'],
  [/^53200$/, 'full', 'has no memory left'],
  [/^53300$/, 'gone', 'has no free connection'],
  [/^53/, 'full', 'has reached a limit of its own'],
  [/^58/, 'full', 'cannot read or write its files'],
  [/^57P01$/, 'lost', 'ended the venue’s sessions'],
  [/^57P02$/, 'lost', 'crashed and ended the venue’s sessions'],
  [/^57P03$/, 'lost', 'is starting, stopping or recovering'],
  [/^57P04$/, 'gone', 'no longer has this database'],
  [/^57P05$/, 'lost', 'ended a session that was idle'],
  [/^57014$/, 'slow', 'cancelled a statement that took too long'],
  [/^55P03$/, 'slow', 'made a statement wait too long for a lock'],
  [/^25006$/, 'gone', 'takes no changes: it is a replica'],
  [/^28/, 'gone', 'refuses the login'],
  [/^3D000$/, 'gone', 'does not have this database'],
  [/^08(000|001|003|004|006|007)$/, 'lost', 'broke a connection'],
]

/** By the system's code of a connection. */
const systemCodes: readonly Meaning[] = [
  [/^ECONNREFUSED$/, 'gone', 'refuses connections'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'gone', 'has a host name that does not resolve'],
  [/^(ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN)$/, 'gone', 'does not answer'],
  [/./, 'lost', 'broke a connection'],
]

/** By the driver's message: these have no code. */
const driverMessages: readonly Meaning[] = [
  [/^Connection terminated due to connection timeout$/, 'gone', 'does not answer'],
  [/^timeout exceeded when trying to connect$/, 'slow', 'has all connections of this process in use'],
  [/^Connection terminated( unexpectedly)?$/, 'lost', 'closed a connection'],
  [/^Client has encountered a connection error and is not queryable$/, 'lost', 'closed a connection'],
  [/^The embedded database/, 'gone', 'has ended'],
]

/** An own field of a connection's error, so that it is known in another thread too. */
const originField = 'origin'
const databaseOrigin = 'database'

/** Marks what a connection to the database failed with: by its code alone it could be that of any other connection. */
export function markAsDatabase(error: unknown): void {
  if (error instanceof Error) Object.assign(error, { [originField]: databaseOrigin })
}

/** What is wrong with the database if it is why something failed; null for every other failure. */
export function databaseTrouble(error: unknown): DatabaseTrouble | null {
  const code = pgCode(error)
  if (code !== null && /^\d[\dA-Z]{4}$/.test(code)) return meaningOf(sqlStates, code, code)
  const chain = errorChain(error)
  if (chain.some((each) => Reflect.get(each, originField) === databaseOrigin) && code !== null)
    return meaningOf(systemCodes, code, code)
  for (const { message } of chain) {
    const trouble = meaningOf(driverMessages, message, null)
    if (trouble !== null) return trouble
  }
  return null
}

function meaningOf(meanings: readonly Meaning[], text: string, code: string | null): DatabaseTrouble | null {
  const meaning = meanings.find(([pattern]) => pattern.test(text))
  if (meaning === undefined) return null
  const [, kind, what] = meaning
  return { kind, code, what }
}
