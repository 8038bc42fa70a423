import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { staffSession, staffSessionRoutes } from '../../../contract/office/staff.ts'
import { solveWork } from '../../../contract/solveWork.ts'
import { workOf, type WorkAnswer } from '../../../contract/work.ts'
import { readSessions, sessionFile, writeSession, type Environment } from './session.ts'
import { UsageError } from './usageError.ts'
import { RejectedError, addressOf, sendTo } from './venueClient.ts'

/**
 * `login [NAME] [--print]`: logs a member of staff in with password and code, and stores the session of this venue, for
 * its user alone; with `--print` it returns the token instead.
 */
export async function logIn(args: readonly string[], env: Environment): Promise<string> {
  const { name: given, print } = readLogInArguments(args)
  const address = await addressOf(env)
  const input = openInput()
  try {
    const name = given ?? (await input.ask('Name: '))
    const password = await input.askHidden('Password: ')
    const { token, session } = await open(address, { name, password }).catch(async (error: unknown) => {
      if (!(error instanceof RejectedError) || error.apiError.code !== 'SECOND_FACTOR_REQUIRED') throw error
      if (error.apiError.params?.['totp'] !== true)
        throw new UsageError('this account logs in with a passkey: set up an authenticator app in the office')
      return open(address, { name, password, code: await input.askHidden('Code: ') })
    })
    if (session.needsSecondFactor) throw new UsageError('set up a second factor in the office first')
    if (print) return token
    const { expiresAt, staff } = session
    writeSession(env, address, { token, name: staff.name })
    return `logged in as ${staff.name} (${staff.role}) until ${new Date(expiresAt).toISOString()}; ${sessionFile(env)}`
  } finally {
    input.close()
  }
}

/** `logout`: ends the stored session of this venue and deletes it. */
export async function logOut(env: Environment): Promise<string> {
  const address = await addressOf(env)
  const stored = readSessions(env)[address]
  if (stored === undefined) return 'nobody was logged in'
  writeSession(env, address, null)
  const { method, path } = staffSessionRoutes.logOut
  await sendTo(address, { method, path }, { authorization: `Session ${stored.token}` }).catch(
    (error: unknown) => {
      // It was over already.
      if (!(error instanceof RejectedError) || error.apiError.code !== 'UNAUTHENTICATED') throw error
    },
  )
  return `${stored.name} is logged out`
}

function readLogInArguments(args: readonly string[]): { name: string | undefined; print: boolean } {
  try {
    const options = { print: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    if (positionals.length > 1) throw new UsageError(`unexpected argument ${positionals[1] ?? ''}`)
    return { name: positionals[0], print: values.print === true }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : '')
  }
}

type Credentials = { name: string; password: string; code?: string }

async function open(address: string, credentials: Credentials) {
  const answer = await send(address, credentials).catch((error: unknown) => {
    const asked = error instanceof RejectedError ? workOf(error.apiError.params) : undefined
    const work = asked && solveWork(asked)
    if (!work) throw error
    return send(address, { ...credentials, work })
  })
  const token = /(?:^|[\s,])(?:__Host-)?staff=([^;]+)/.exec(answer.headers.getSetCookie().join(', '))?.[1]
  const session = staffSession.safeParse(await answer.json().catch(() => undefined))
  if (token === undefined || !session.success) throw new UsageError(`the server at ${address} is not a venue`)
  return { token, session: session.data }
}

const send = (address: string, body: Credentials & { work?: WorkAnswer }): Promise<Response> => {
  const { method, path } = staffSessionRoutes.logIn
  return sendTo(address, { method, path, body }, {})
}

/** Questions on a terminal, whose answers are not shown if they are secret; else the lines of the input. */
function openInput() {
  const { stdin, stderr } = process
  let isHidden = false
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!isHidden) stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY })
  const next = lines[Symbol.asyncIterator]()
  const ask = async (question: string): Promise<string> => {
    if (stdin.isTTY) stderr.write(question)
    const { value, done } = await next.next()
    if (done === true) throw new UsageError('the input has ended: name, password and code are its lines')
    return value.trim()
  }
  return {
    ask,
    askHidden: async (question: string): Promise<string> => {
      isHidden = true
      try {
        return await ask(question)
      } finally {
        isHidden = false
        if (stdin.isTTY) stderr.write('\n')
      }
    },
    close: () => lines.close(),
  }
}
