import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import * as z from 'zod/mini'
import { authRoutes } from '../../../../contract/auth.ts'
import { errorBody } from '../../../../contract/errors.ts'
import { solveWork } from '../../../../contract/solveWork.ts'
import { workOf, type WorkAnswer } from '../../../../contract/work.ts'
import type { Client } from '../../../../src/api/clientOver.ts'
import { retryAfterMsOf } from '../../../../src/api/result.ts'
import { UsageError, type CommandContext } from './command.ts'
import { originOf } from './venueCalls.ts'
import { venueClient } from '../venueClient.ts'
import { askByHttp } from './request.ts'
import { isOk, waitAsAsked, waitingJson } from './waitingRequest.ts'

export type MemberSession = { call: Client; close: () => Promise<void> }

/**
 * Logs a member in. Calls of the session wait as long as the venue asks for; `close` logs out.
 * @throws UsageError if the venue does not answer, or does not log the member in
 */
export async function openSession(
  url: string,
  credentials: { account: string; password: string },
  signal: AbortSignal,
): Promise<MemberSession> {
  const origin = originOf(url)
  const { status, cookies, body } = await logIn(`${origin}/api${authRoutes.login.path}`, credentials, signal)
  const session = z.object({ token: z.string() }).safeParse(body)
  const cookie = cookies.find((each) => /^(__Host-)?sid=/.test(each))?.split(';')[0]
  if (!isOk(status) || !session.success || cookie === undefined)
    throw new UsageError(whyNot(status, body), 'log in with the app first to see what it asks for')
  const { token } = session.data
  const client = venueClient(origin, askByHttp, { token, cookie })
  const call: Client = async (route, input, options) => {
    for (;;) {
      const result = await client(route, input, options)
      const isLimited = !result.ok && result.failure.kind === 'rejected' && result.failure.status === 429
      if (!isLimited) return result
      await waitAsAsked(retryAfterMsOf(result.failure) ?? 0, signal)
    }
  }
  return { call, close: async () => void (await client(authRoutes.logout, {})) }
}

/** Sends the login, and once more with the proof of work that the venue requires from an unknown device. */
async function logIn(
  address: string,
  credentials: { account: string; password: string },
  signal: AbortSignal,
) {
  const send = async (work?: WorkAnswer | null) => {
    const { status, headers, body } = await waitingJson(address, signal, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...credentials, ...(work && { work }) }),
    })
    return { status, cookies: headers['set-cookie'] ?? [], body }
  }
  const first = await send()
  const failure = errorBody.safeParse(first.body)
  const asked = failure.success ? workOf(failure.data.error.params) : undefined
  return asked === undefined ? first : send(solveWork(asked))
}

function whyNot(status: number, body: unknown): string {
  const parsed = errorBody.safeParse(body)
  if (!parsed.success) return `the login was answered with ${status}: is it a venue?`
  const { code } = parsed.data.error
  if (code === 'BAD_CREDENTIALS') return 'account or password is wrong'
  if (code === 'CAPTCHA_REQUIRED')
    return 'the venue requires a captcha after failed logins: log in with the app, then try again'
  return `the venue does not log the member in: ${code}`
}

/** The password from UPTICK_PASSWORD, or the first line of the input, which a terminal does not show. @throws UsageError */
export async function readPassword({ note }: CommandContext): Promise<string> {
  const given = process.env['UPTICK_PASSWORD'] ?? (await firstLine(note))
  if (given === '')
    throw new UsageError('no password', 'it is in UPTICK_PASSWORD, or the first line of the input')
  return given
}

async function firstLine(note: (line: string) => void): Promise<string> {
  const { stdin } = process
  if (stdin.isTTY) note('password:')
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: hidden, terminal: stdin.isTTY })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    stdin.destroy()
  }
}
