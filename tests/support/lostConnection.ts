import type { Pool } from 'pg'

type Query = (...args: unknown[]) => Promise<unknown>

const lost = (): Error => new Error('Connection terminated unexpectedly')

/** Name and text of the statement that `query` was called with. */
function statementOf([first]: readonly unknown[]): { name?: string; text: string } {
  return typeof first === 'string' ? { text: first } : (first as { name?: string; text: string })
}

/**
 * The next `times` calls of a statement with this name or text fail as with a broken connection, after the database has
 * committed them.
 * @returns how many failed so far
 */
export function loseAnswers(pool: Pool, which: string, times = 1): () => number {
  let failed = 0
  watchStatements(pool, which, async (answer) => {
    if (failed >= times) return answer
    failed += 1
    throw lost()
  })
  return () => failed
}

/** Passes the results of statements with this name or text through `then`. */
export function watchStatements(
  pool: Pool,
  which: string,
  then: (answer: unknown) => Promise<unknown>,
): void {
  const original = pool.query.bind(pool) as unknown as Query
  const query: Query = async (...args) => {
    const answer = await original(...args)
    const { name, text } = statementOf(args)
    return name === which || text.includes(which) ? then(answer) : answer
  }
  Object.assign(pool, { query })
}

/**
 * The next call of a named statement fails as with a broken connection, before the database has run it.
 * @returns a function that runs the statement, as a database that received it before the connection broke
 */
export function delayStatement(pool: Pool, name: string): () => Promise<void> {
  const original = pool.query.bind(pool) as unknown as Query
  let delayed: unknown[] | null = null
  const query: Query = async (...args) => {
    if (delayed !== null || statementOf(args).name !== name) return original(...args)
    delayed = args
    throw lost()
  }
  Object.assign(pool, { query })
  return async () => {
    if (delayed === null) throw new Error(`${name} was not called`)
    await original(...delayed)
  }
}

/**
 * The next transaction with a statement that contains `part` fails at its COMMIT as with a broken connection, after
 * the database has committed it.
 * @returns how many failed so far
 */
export function loseCommit(pool: Pool, part: string): () => number {
  const original = pool.connect.bind(pool) as (...args: unknown[]) => Promise<{ query: Query }>
  let failed = 0
  const connect = async (...args: unknown[]): Promise<unknown> => {
    const client = await original(...args)
    if (args.length > 0 || failed > 0) return client
    let isTarget = false
    const query: Query = async (...own) => {
      const { text } = statementOf(own)
      if (text.includes(part)) isTarget = true
      const answer = await client.query(...own)
      if (!isTarget || text !== 'commit') return answer
      isTarget = false
      failed += 1
      throw lost()
    }
    return new Proxy(client, {
      get: (target, key) => {
        if (key === 'query') return query
        const value: unknown = Reflect.get(target, key)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
  }
  Object.assign(pool, { connect })
  return () => failed
}
